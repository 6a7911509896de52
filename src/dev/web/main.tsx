import { render } from "preact";
import { App } from "./app.tsx";

const root = document.getElementById("app");
if (root !== null) {
  // The server's frame makes room for the page's own.
  root.textContent = "";
  render(<App />, root);
}
