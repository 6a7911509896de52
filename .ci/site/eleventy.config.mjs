/** Pages are Markdown without a template language: they may show braces. */
export const config = { markdownTemplateEngine: false, dir: { includes: "_site" } };

export default function () {}
