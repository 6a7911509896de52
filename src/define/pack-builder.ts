import type { Authentication, SystemAuthentication } from "./authentication.ts";
import type { ConnectionRequirement, ValueType } from "./enumerations.ts";
import {
  type Formula,
  type FormulaDefinition,
  type HintByResult,
  type ItemsByResult,
  makeFormula,
  type SchemaByResult,
} from "./formula.ts";
import type { Format, PackVersionDefinition } from "./pack.ts";
import type { Parameter } from "./parameter.ts";

/** An authentication, and what the formulas of the Pack need of it. */
export type UserAuthentication = Authentication & {
  /** The requirement of each formula that names none. @default "required" */
  defaultConnectionRequirement?: ConnectionRequirement | undefined;
};

/** Starts a Pack. Export it as `pack`. */
export function newPack(definition: Partial<PackVersionDefinition> = {}): PackDefinitionBuilder {
  return new PackDefinitionBuilder(definition);
}

/** A Pack under construction, which is its definition too. Its methods return it, and their order does not matter. */
export class PackDefinitionBuilder implements PackVersionDefinition {
  declare version?: string | undefined;
  declare defaultAuthentication?: Authentication | undefined;
  declare systemConnectionAuthentication?: SystemAuthentication | undefined;
  declare networkDomains: string[];
  declare formulas: Formula[];
  declare formats: Format[];
  declare syncTables: unknown[];
  declare skills: unknown[];
  #defaultRequirement: ConnectionRequirement | undefined;

  constructor(definition: Partial<PackVersionDefinition> = {}) {
    const { defaultAuthentication, ...members } = definition;
    Object.assign(this, { networkDomains: [], formulas: [], formats: [], syncTables: [], skills: [] }, members);
    if (defaultAuthentication !== undefined) this.setUserAuthentication(defaultAuthentication);
  }

  addFormula<
    const Params extends readonly Parameter[],
    const Result extends ValueType,
    const Varargs extends readonly Parameter[] = [],
    const Definition extends SchemaByResult[Result] = undefined,
    const Items extends ItemsByResult[Result] = undefined,
    const Hint extends HintByResult[Result] = undefined,
  >(definition: FormulaDefinition<Params, Varargs, Result, Definition, Items, Hint>): this {
    const formula = makeFormula(definition);
    formula.connectionRequirement ??= this.#defaultRequirement;
    this.formulas.push(formula);
    return this;
  }

  /** Declares hosts that the Pack may call. Their subdomains are included. */
  addNetworkDomain(...domains: string[]): this {
    this.networkDomains.push(...domains);
    return this;
  }

  /**
   * Says how requests are signed for each user's own account. Every formula that names no connection requirement, added
   * before or after, then needs an account.
   */
  setUserAuthentication(authentication: UserAuthentication): this {
    const { defaultConnectionRequirement = "required", ...definition } = authentication;
    this.defaultAuthentication = definition as Authentication;
    if (definition.type === "None" && authentication.defaultConnectionRequirement === undefined) return this;
    this.#defaultRequirement = defaultConnectionRequirement;
    for (const formula of this.formulas) formula.connectionRequirement ??= defaultConnectionRequirement;
    return this;
  }

  /** Says how requests are signed for the Pack's own account. */
  setSystemAuthentication(authentication: SystemAuthentication): this {
    this.systemConnectionAuthentication = authentication;
    return this;
  }

  setVersion(version: string): this {
    this.version = version;
    return this;
  }
}
