import "./style.css";

// The fonts of the system: a page loads nothing that it does not need.
export { default } from "vitepress/theme-without-fonts";
