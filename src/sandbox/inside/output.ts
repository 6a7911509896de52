let outgoing = "";

/** @param message a `SandboxOutput` as JSON text */
export function send(message: string): void {
  outgoing += outgoing === "" ? message : `,${message}`;
}

/** @returns the messages as a JSON array, and clears them */
export function drain(): string {
  const messages = `[${outgoing}]`;
  outgoing = "";
  return messages;
}
