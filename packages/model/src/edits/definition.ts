type Edit = { kind: string }

/**
 * Behaviour of one kind of edit. `apply` and `invert` are pure and match by identity; an edit whose subject is missing does nothing, so
 * edits can be rebased onto another state. `invert` takes the state before the edit and returns what restores it, in order.
 */
export type Definition<C, E extends Edit, Own extends E = E> = {
  // Declared as methods, so that their parameters are bivariant and one lookup serves all kinds.
  apply(content: C, edit: Own): C
  invert(content: C, edit: Own): E | E[]
}

/** One definition per kind, checked by the compiler. */
export type Definitions<C, E extends Edit> = { readonly [K in E['kind']]: Definition<C, E, Extract<E, { kind: K }>> }

type Find<C, E extends Edit> = (edit: E) => Definition<C, E>

export function applyAll<C, E extends Edit>(find: Find<C, E>, content: C, edits: readonly E[]): C {
  return edits.reduce((state, edit) => find(edit).apply(state, edit), content)
}

/** The inverse of the edits, without those that have no effect; `content` is the state before them. */
export function invertAll<C, E extends Edit>(find: Find<C, E>, content: C, edits: readonly E[]): E[] {
  let state = content
  const inverses: E[][] = []
  for (const edit of edits) {
    const inverse = find(edit).invert(state, edit)
    inverses.push(Array.isArray(inverse) ? inverse : [inverse])
    state = find(edit).apply(state, edit)
  }
  return inverses.toReversed().flat().filter(hasEffect)
}

/** Whether an edit names anything to change. */
export function hasEffect({ kind: _kind, ...parts }: Edit): boolean {
  return Object.values<object>(parts).some(part => Object.keys(part).length > 0)
}
