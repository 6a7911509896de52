// `node -r packsmith/register`, and `require("packsmith/register")`.
try {
  require("./register.js");
} catch (error) {
  // Node 22 also loads this in the thread of its hooks, where it can load no ES module. No suite
  // runs there.
  if ((error as NodeJS.ErrnoException).code !== "ERR_METHOD_NOT_IMPLEMENTED") throw error;
}
