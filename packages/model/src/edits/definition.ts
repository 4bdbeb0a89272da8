type Edit = { kind: string }

/**
 * What one kind of edit does. `apply` and `invert` are pure and match by identity; an edit whose subject is not there does nothing,
 * so that edits survive being put on top of another state. `invert` asks the state before: its edits, applied to the state
 * after, bring that state back. What does nothing has no inverse.
 */
export type Definition<C, E extends Edit, Own extends E = E> = {
  // Methods, not properties: the definition of one kind is then found by the kind of any edit.
  apply(content: C, edit: Own): C
  invert(content: C, edit: Own): readonly E[]
}

/** One definition a kind: the compiler finds the forgotten one. */
export type Definitions<C, E extends Edit> = { readonly [K in E['kind']]: Definition<C, E, Extract<E, { kind: K }>> }

type Find<C, E extends Edit> = (edit: E) => Definition<C, E>

/** The content after the edits, one after the other. */
export function appliedBy<C, E extends Edit>(find: Find<C, E>, content: C, edits: readonly E[]): C {
  return edits.reduce((state, edit) => find(edit).apply(state, edit), content)
}

/** What takes the edits back again, for the content that they are about to be applied to. */
export function invertedBy<C, E extends Edit>(find: Find<C, E>, content: C, edits: readonly E[]): E[] {
  let state = content
  const inverses: (readonly E[])[] = []
  for (const edit of edits) {
    inverses.push(find(edit).invert(state, edit))
    state = find(edit).apply(state, edit)
  }
  return inverses.toReversed().flat()
}
