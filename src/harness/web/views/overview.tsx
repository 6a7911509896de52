import { linkTo } from "../route.ts";
import type { ViewProps } from "../view.ts";

export function Overview({ pack }: ViewProps) {
  return (
    <section>
      <h2>Formulas</h2>
      <ul>
        {pack.formulas.map(({ name, description }) => (
          <li key={name}>
            <a href={linkTo("run", name)}>{name}</a> {description}
          </li>
        ))}
      </ul>
    </section>
  );
}
