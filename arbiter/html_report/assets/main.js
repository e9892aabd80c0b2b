// The page of a file: everything is drawn once, from the data in it.

const data = JSON.parse(byId("data").textContent);
for (const { draw } of PARTS) draw(data);
