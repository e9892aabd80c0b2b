import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/", "src/gen/"] },
  js.configs.recommended,
  {
    files: ["src/**/*.ts"],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    // The numbers of cards, suits and ranks are computed, as cards.proto says how.
    rules: { "@typescript-eslint/no-unsafe-enum-assignment": "off" },
  },
  {
    // The promises of the test runner are its own business.
    files: ["src/test/*.ts"],
    rules: { "@typescript-eslint/no-floating-promises": "off" },
  },
);
