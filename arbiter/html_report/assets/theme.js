// Light or dark.

const dark = window.matchMedia("(prefers-color-scheme: dark)");

// Storage may be forbidden to a page that is opened from a file.
function stored(theme) {
  try {
    if (theme) localStorage.setItem("theme", theme);
    return localStorage.getItem("theme");
  } catch {
    return null;
  }
}

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  const now = theme ?? (dark.matches ? "dark" : "light");
  byId("theme").setAttribute("aria-pressed", String(now === "dark"));
  byId("theme").dataset.now = now;
}

byId("theme").addEventListener("click", () => {
  const next = byId("theme").dataset.now === "dark" ? "light" : "dark";
  stored(next);
  setTheme(next);
});
dark.addEventListener("change", () => setTheme(stored()));
setTheme(stored());
