/** Stands for the value in the label of a property (`{VALUE}`). */
export const PropertyLabelValueTemplate = "{VALUE}";

/** Parts of images that are given as data URLs. */
export const SvgConstants = {
  /** Id of the element that is shown in dark mode. */
  DarkModeFragmentId: "DarkMode",
  /** What the data URL of an SVG begins with. */
  DataUrlPrefix: "data:image/svg+xml;base64,",
  /** The same for an image with a part for dark mode. */
  DataUrlPrefixWithDarkModeSupport: "data:image/svg+xml;supportsDarkMode=1;base64,",
} as const;
