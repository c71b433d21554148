import ts from "typescript";

/** Types that everyone has, written by their names. */
const GLOBALS = new Set(["Date", "Uint8Array", "AsyncIterable"]);
/** Spells types out in full, so that they need no import. What contains itself becomes an alias. */
export class TypeWriter {
  #checker;
  #at;
  /** Being written right now, and under which name if it contains itself. */
  #open = new Map();
  #aliases = [];
  #named = new Map();

  constructor(checker, at) {
    this.#checker = checker;
    this.#at = at;
  }

  aliases() {
    return this.#aliases.join("\n");
  }

  write(type) {
    const known = this.#named.get(type);
    if (known) return known;
    if (this.#open.has(type)) {
      const name =
        this.#open.get(type) ??
        `Recursive${this.#named.size + [...this.#open.values()].filter(Boolean).length + 1}`;
      this.#open.set(type, name);
      return name;
    }
    const isStructured = type.isUnionOrIntersection() || type.flags & ts.TypeFlags.Object;
    if (!isStructured) return this.#writeSimple(type);
    this.#open.set(type, null);
    const text = this.#writeStructured(type);
    const name = this.#open.get(type);
    this.#open.delete(type);
    if (!name) return text;
    this.#aliases.push(`type ${name} = ${text};`);
    this.#named.set(type, name);
    return name;
  }

  #writeSimple(type) {
    if (type.isStringLiteral()) return JSON.stringify(type.value);
    if (type.isNumberLiteral()) return String(type.value);
    const simple = ts.TypeFlags;
    const { flags } = type;
    if (flags & simple.BooleanLiteral) return this.#checker.typeToString(type);
    if (flags & simple.EnumLiteral)
      throw new Error(`An enum cannot be published: ${this.#checker.typeToString(type)}`);
    const known =
      simple.Any |
      simple.Unknown |
      simple.String |
      simple.Number |
      simple.BigInt |
      simple.Boolean |
      simple.Null |
      simple.Undefined |
      simple.Void |
      simple.Never |
      simple.NonPrimitive |
      simple.TemplateLiteral;
    if (flags & known) return this.#checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
    throw new Error(`Cannot write the type ${this.#checker.typeToString(type)}`);
  }

  #writeStructured(type) {
    if (type.isUnion()) return this.#writeUnion(type);
    const checker = this.#checker;
    if (checker.isTupleType(type))
      return `[${checker
        .getTypeArguments(type)
        .map((t) => this.write(t))
        .join(", ")}]`;
    if (checker.isArrayType(type)) {
      const [element] = checker.getTypeArguments(type);
      const isReadonly = type.symbol?.name === "ReadonlyArray";
      return `${isReadonly ? "readonly " : ""}(${this.write(element)})[]`;
    }
    if (GLOBALS.has(type.symbol?.name) && this.#isOfLibrary(type)) {
      // What an iterator returns and takes says nothing here, and older compilers do not know it.
      const [element] = type.objectFlags & ts.ObjectFlags.Reference ? checker.getTypeArguments(type) : [];
      return element ? `${type.symbol.name}<${this.write(element)}>` : type.symbol.name;
    }
    if (type.getCallSignatures().length > 0)
      throw new Error(`A function cannot be published: ${checker.typeToString(type)}`);
    return this.#writeObject(type);
  }

  /** `boolean` comes as true | false. */
  #writeUnion(type) {
    const parts = type.types.map((part) => this.write(part));
    const isBoolean = parts.includes("true") && parts.includes("false");
    const rest = isBoolean ? parts.filter((part) => part !== "true" && part !== "false") : parts;
    return `(${[...rest, ...(isBoolean ? ["boolean"] : [])].join(" | ")})`;
  }

  #writeObject(type) {
    const checker = this.#checker;
    const members = checker.getPropertiesOfType(type).map((property) => {
      const isOptional = Boolean(property.flags & ts.SymbolFlags.Optional);
      const member = checker.getTypeOfSymbolAtLocation(property, this.#at);
      // `?` says undefined already; kept beside it, exact optional properties could not be passed on.
      return `${JSON.stringify(property.name)}${isOptional ? "?" : ""}: ${this.write(member)};`;
    });
    const indexes = checker
      .getIndexInfosOfType(type)
      .map(({ keyType, type }) => `[key: ${this.write(keyType)}]: ${this.write(type)};`);
    const all = [...indexes, ...members];
    return all.length > 0 ? `{ ${all.join(" ")} }` : "{}";
  }

  #isOfLibrary(type) {
    return (type.symbol.declarations ?? []).some((d) =>
      /\/lib\.[^/]*\.d\.ts$|@types\/node/.test(d.getSourceFile().fileName),
    );
  }
}
