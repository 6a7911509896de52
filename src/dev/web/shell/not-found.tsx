import { linkTo } from "../route.ts";

/** For an address that the page does not know. */
export function NotFound() {
  return (
    <div class="view stack">
      <header>
        <h2>Page not found</h2>
      </header>
      <p class="wrap">
        Nothing is at <span class="mono">{location.hash}</span>. Choose a view from the navigation,
        or go to the <a href={linkTo("overview")}>overview</a>.
      </p>
    </div>
  );
}
