import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
  visit,
} from "graphql";
import { DEFAULT_CHANGES, MAX_CHANGES } from "@/server/changes/schema";
import { DEFAULT_LIMIT } from "@/server/paging";
import { TooComplexError } from "./errors";
import {
  MAX_COST,
  MAX_DEPTH,
  MAX_DIRECTIVES,
  MAX_FIELDS,
  MAX_INTROSPECTION_DEPTH,
  MAX_OPERATIONS,
} from "./limits";

/** Of a selection with its fragments spread out; `fields` counts the spreads too. */
type Size = { depth: number; fields: number };

/**
 * Measures a document that nobody has validated yet. Each fragment is measured once, so one that
 * spreads others a million times costs no more than one that does so once.
 *
 * @throws TooComplexError naming the limit.
 */
export function checkComplexity(document: DocumentNode, variables: Record<string, unknown>): void {
  countDirectives(document);
  const measure = new Measure(document);
  let fields = 0;
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION)
      fields += measure.sizeOf(definition.selectionSet).fields;
    if (definition.kind === Kind.OPERATION_DEFINITION) {
      const roots = measure.rootsOf(definition.selectionSet);
      fields += roots.reduce((sum, root) => sum + 1 + measure.below(root).fields, 0);
      checkRoots(roots, measure, variables);
    }
    if (fields > MAX_FIELDS) refuse(`more than ${MAX_FIELDS} fields, aliases and fragments counted`);
  }
}

function checkRoots(roots: FieldNode[], measure: Measure, variables: Record<string, unknown>): void {
  if (roots.length > MAX_OPERATIONS) refuse(`more than ${MAX_OPERATIONS} calls in one request`);
  let cost = 0;
  for (const root of roots) {
    const { depth, fields } = measure.below(root);
    const limit = root.name.value.startsWith("__") ? MAX_INTROSPECTION_DEPTH : MAX_DEPTH;
    if (depth + 1 > limit) refuse(`fields more than ${limit} levels deep`);
    cost += entriesOf(root, variables) * fields;
  }
  if (cost > MAX_COST) {
    refuse(
      `${cost.toLocaleString("en")} values (entries of pages × fields) where ${MAX_COST.toLocaleString("en")} are allowed`,
    );
  }
}

/** How many entries the page may have that a root field asks for; 1 for what is no list. */
function entriesOf(root: FieldNode, variables: Record<string, unknown>): number {
  const limit = root.arguments?.find((argument) => argument.name.value === "limit")?.value;
  if (limit?.kind === Kind.INT) return Math.min(Number(limit.value), MAX_CHANGES);
  if (limit?.kind === Kind.VARIABLE) {
    const value = variables[limit.name.value];
    // What is no number is refused later; a default in the text may stand for what was not sent.
    return typeof value === "number" && value > 0 ? Math.min(value, MAX_CHANGES) : MAX_CHANGES;
  }
  return root.name.value === "changes" ? DEFAULT_CHANGES : DEFAULT_LIMIT;
}

class Measure {
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #sizes = new Map<SelectionSetNode, Size>();
  readonly #open = new Set<SelectionSetNode>();

  constructor(document: DocumentNode) {
    for (const node of document.definitions) {
      if (node.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(node.name.value, node);
    }
  }

  below(field: FieldNode): Size {
    return field.selectionSet ? this.sizeOf(field.selectionSet) : { depth: 0, fields: 0 };
  }

  sizeOf(set: SelectionSetNode): Size {
    const known = this.#sizes.get(set);
    if (known) return known;
    if (this.#open.has(set)) refuse("a fragment that contains itself");
    this.#open.add(set);
    const size = { depth: 0, fields: 0 };
    for (const selection of set.selections) {
      const isField = selection.kind === Kind.FIELD;
      const inner = isField ? this.below(selection) : this.#spread(selection);
      size.depth = Math.max(size.depth, inner.depth + (isField ? 1 : 0));
      // Spreads count too: a tree of fragments without a field in it is as large as one with.
      size.fields += inner.fields + 1;
    }
    this.#open.delete(set);
    this.#sizes.set(set, size);
    return size;
  }

  /** The fields of an operation itself, those of fragments included. */
  rootsOf(set: SelectionSetNode): FieldNode[] {
    const { fields } = this.sizeOf(set);
    if (fields > MAX_FIELDS) refuse(`more than ${MAX_FIELDS} fields, aliases and fragments counted`);
    return set.selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection];
      const inner =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : this.#fragments.get(selection.name.value);
      return inner ? this.rootsOf(inner.selectionSet) : [];
    });
  }

  #spread(selection: Exclude<SelectionSetNode["selections"][number], FieldNode>): Size {
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : this.#fragments.get(selection.name.value);
    return inner ? this.sizeOf(inner.selectionSet) : { depth: 0, fields: 0 };
  }
}

function countDirectives(document: DocumentNode): void {
  let directives = 0;
  visit(document, {
    enter(node) {
      if (node.kind === Kind.DIRECTIVE) directives += 1;
    },
  });
  if (directives > MAX_DIRECTIVES) refuse(`more than ${MAX_DIRECTIVES} directives`);
}

function refuse(what: string): never {
  throw new TooComplexError(`The query has ${what}. Ask for less in one request.`);
}
