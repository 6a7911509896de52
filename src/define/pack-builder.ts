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
import type { PackVersionDefinition } from "./pack.ts";
import type { Parameter } from "./parameter.ts";

/** Collects the parts of a Pack. Every method returns the builder; their order does not matter. */
export class PackDefinitionBuilder implements PackVersionDefinition {
  version?: string | undefined;
  defaultAuthentication?: Authentication | undefined;
  systemConnectionAuthentication?: SystemAuthentication | undefined;
  networkDomains: string[];
  formulas: Formula[];
  #requirement: ConnectionRequirement | undefined;

  constructor(definition: Partial<PackVersionDefinition> = {}) {
    const { version, defaultAuthentication, systemConnectionAuthentication, networkDomains = [], formulas = [] } = definition;
    this.networkDomains = [...networkDomains];
    this.formulas = [...formulas];
    if (version !== undefined) this.version = version;
    if (systemConnectionAuthentication !== undefined) this.systemConnectionAuthentication = systemConnectionAuthentication;
    if (defaultAuthentication !== undefined) this.setUserAuthentication(defaultAuthentication);
  }

  /** Adds a formula. `execute` receives the parameters in order; its result is checked against the schema. */
  addFormula<
    const Params extends readonly Parameter[],
    const Result extends ValueType,
    const Varargs extends readonly Parameter[] = [],
    const Definition extends SchemaByResult[Result] = undefined,
    const Items extends ItemsByResult[Result] = undefined,
    const Hint extends HintByResult[Result] = undefined,
  >(definition: FormulaDefinition<Params, Varargs, Result, Definition, Items, Hint>): this {
    this.formulas.push(this.#withRequirement(makeFormula(definition)));
    return this;
  }

  /** Allows requests to these domains and their subdomains. */
  addNetworkDomain(...domains: string[]): this {
    this.networkDomains.push(...domains);
    return this;
  }

  /**
   * Says how users' accounts prove themselves. Formulas that do not say whether they need an account need one from now
   * on, those already added too.
   */
  setUserAuthentication(definition: Authentication & { defaultConnectionRequirement?: ConnectionRequirement | undefined }): this {
    const { defaultConnectionRequirement = "required", ...authentication } = definition;
    this.defaultAuthentication = authentication as Authentication;
    this.#requirement = authentication.type === "None" ? undefined : defaultConnectionRequirement;
    this.formulas = this.formulas.map((formula) => this.#withRequirement(formula));
    return this;
  }

  /** Says how the Pack's own account proves itself. */
  setSystemAuthentication(definition: SystemAuthentication): this {
    this.systemConnectionAuthentication = definition;
    return this;
  }

  setVersion(version: string): this {
    this.version = version;
    return this;
  }

  #withRequirement(formula: Formula): Formula {
    if (this.#requirement === undefined || formula.connectionRequirement !== undefined) return formula;
    return { ...formula, connectionRequirement: this.#requirement };
  }
}

/** Begins a Pack. Export the result as `pack`. */
export function newPack(definition?: Partial<PackVersionDefinition>): PackDefinitionBuilder {
  return new PackDefinitionBuilder(definition);
}
