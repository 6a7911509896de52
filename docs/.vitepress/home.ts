import type { MarkdownRenderer } from "vitepress";

/** The image of the first page, by its path in the repository. */
export const HOME_IMAGE = "docs/images/run.png";

/** What the first page shows above the text of the README. */
export const HOME = {
  layout: "home",
  title: "packsmith",
  titleTemplate: "Write, connect, test and publish Packs",
  hero: {
    name: "packsmith",
    text: "Write, connect, test and publish Packs",
    tagline:
      "Packs are TypeScript extensions of a collaborative document service. packsmith checks, runs, tests and builds your Packs. Local servers replace the real servers.",
    image: {
      src: `/${HOME_IMAGE}`,
      alt: "packsmith dev runs a sync table: a form, two pages of rows, and the requests",
    },
    actions: [
      { theme: "brand", text: "Get started", link: "/docs/getting-started" },
      { theme: "alt", text: "Tutorial", link: "/docs/tutorial" },
      { theme: "alt", text: "Examples", link: "/examples/" },
    ],
  },
};

/** Leaves out the title, the first paragraph and the picture of the README: the hero has them. */
export function hideReadmeIntroduction(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("readme-introduction", ({ tokens, env }) => {
    if ((env as { relativePath?: string }).relativePath !== "index.md") return;
    const end = tokens.findIndex(({ type, tag }) => type === "heading_open" && tag === "h2");
    tokens.splice(0, end);
    const picture = tokens.findIndex(
      ({ children }) => children?.length === 1 && children[0]?.type === "image",
    );
    if (picture > 0) tokens.splice(picture - 1, 3);
  });
}
