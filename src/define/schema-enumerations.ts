/** How an amount of money is shown. */
export const CurrencyFormat = {
  Currency: "currency",
  Accounting: "accounting",
  Financial: "financial",
} as const;
export type CurrencyFormat = (typeof CurrencyFormat)[keyof typeof CurrencyFormat];
export declare namespace CurrencyFormat {
  type Currency = "currency";
  type Accounting = "accounting";
  type Financial = "financial";
}

/** The largest unit in which a duration is shown. */
export const DurationUnit = {
  Days: "days",
  Hours: "hours",
  Minutes: "minutes",
  Seconds: "seconds",
} as const;
export type DurationUnit = (typeof DurationUnit)[keyof typeof DurationUnit];
export declare namespace DurationUnit {
  type Days = "days";
  type Hours = "hours";
  type Minutes = "minutes";
  type Seconds = "seconds";
}

/** How an e-mail address is shown. */
export const EmailDisplayType = {
  IconAndEmail: "iconAndEmail",
  IconOnly: "iconOnly",
  EmailOnly: "emailOnly",
} as const;
export type EmailDisplayType = (typeof EmailDisplayType)[keyof typeof EmailDisplayType];
export declare namespace EmailDisplayType {
  type IconAndEmail = "iconAndEmail";
  type IconOnly = "iconOnly";
  type EmailOnly = "emailOnly";
}

/** How a URL is shown. */
export const LinkDisplayType = {
  IconOnly: "iconOnly",
  Url: "url",
  Title: "title",
  Card: "card",
  Embed: "embed",
} as const;
export type LinkDisplayType = (typeof LinkDisplayType)[keyof typeof LinkDisplayType];
export declare namespace LinkDisplayType {
  type IconOnly = "iconOnly";
  type Url = "url";
  type Title = "title";
  type Card = "card";
  type Embed = "embed";
}

/** The border of an image. */
export const ImageOutline = {
  Disabled: "disabled",
  Solid: "solid",
} as const;
export type ImageOutline = (typeof ImageOutline)[keyof typeof ImageOutline];
export declare namespace ImageOutline {
  type Disabled = "disabled";
  type Solid = "solid";
}

/** The corners of an image. */
export const ImageCornerStyle = {
  Rounded: "rounded",
  Square: "square",
} as const;
export type ImageCornerStyle = (typeof ImageCornerStyle)[keyof typeof ImageCornerStyle];
export declare namespace ImageCornerStyle {
  type Rounded = "rounded";
  type Square = "square";
}

/** The shape of an image. */
export const ImageShapeStyle = {
  Auto: "auto",
  Circle: "circle",
} as const;
export type ImageShapeStyle = (typeof ImageShapeStyle)[keyof typeof ImageShapeStyle];
export declare namespace ImageShapeStyle {
  type Auto = "auto";
  type Circle = "circle";
}

/** The icon that a scale repeats. */
export const ScaleIconSet = {
  Star: "star",
  Circle: "circle",
  Fire: "fire",
  Bug: "bug",
  Diamond: "diamond",
  Bell: "bell",
  ThumbsUp: "thumbsup",
  Heart: "heart",
  Chili: "chili",
  Smiley: "smiley",
  Lightning: "lightning",
  Currency: "currency",
  Coffee: "coffee",
  Person: "person",
  Battery: "battery",
  Cocktail: "cocktail",
  Cloud: "cloud",
  Sun: "sun",
  Checkmark: "checkmark",
  LightBulb: "lightbulb",
} as const;
export type ScaleIconSet = (typeof ScaleIconSet)[keyof typeof ScaleIconSet];
export declare namespace ScaleIconSet {
  type Star = "star";
  type Circle = "circle";
  type Fire = "fire";
  type Bug = "bug";
  type Diamond = "diamond";
  type Bell = "bell";
  type ThumbsUp = "thumbsup";
  type Heart = "heart";
  type Chili = "chili";
  type Smiley = "smiley";
  type Lightning = "lightning";
  type Currency = "currency";
  type Coffee = "coffee";
  type Person = "person";
  type Battery = "battery";
  type Cocktail = "cocktail";
  type Cloud = "cloud";
  type Sun = "sun";
  type Checkmark = "checkmark";
  type LightBulb = "lightbulb";
}
