import { useWorkbench, workbench } from '../workbench/page-workbench.ts'
import type { TabId } from '../workbench/documents.ts'
import { type SideCode, sideIn, sideWord } from './side-code.ts'
import type { Sides } from './SideBar.tsx'

/** The sides in the address of a document, else the proposed ones; and how to show others. */
export function useSides(tabId: TabId, proposed: Sides | null, hasDraft: boolean) {
  const before = useWorkbench(state => state.shown.get(tabId)?.before)
  const after = useWorkbench(state => state.shown.get(tabId)?.after)
  const sideOf = (word: string | undefined, other: SideCode | undefined) => {
    const side = sideIn(word ?? '') ?? other
    // What was a draft is saved by now.
    return side?.kind === 'draft' && !hasDraft ? ({ kind: 'now' } as const) : side
  }
  const [from, to] = [sideOf(before, proposed?.before), sideOf(after, proposed?.after)]
  const sides: Sides | null = from && to ? { before: from, after: to } : null
  return {
    sides,
    choose: (next: Sides) =>
      workbench.getState().show(tabId, { before: sideWord(next.before), after: sideWord(next.after) }),
  }
}

/** The newest older version and the present state; null if there is none to compare with. */
export function proposedSides(versions: readonly string[], shown: string | undefined, hasDraft: boolean): Sides | null {
  const after = { kind: hasDraft ? 'draft' : 'now' } as const
  const version = shown ?? versions[0]
  if (version !== undefined) return { before: { kind: 'version', version }, after }
  return hasDraft ? { before: { kind: 'now' }, after } : null
}

/** The side that differences are taken into: the present state or the draft; null if neither is one. */
export function takenInto({ before, after }: Sides): 'before' | 'after' | null {
  if (after.kind === 'draft' || (after.kind === 'now' && before.kind !== 'draft')) return 'after'
  return before.kind === 'draft' || before.kind === 'now' ? 'before' : null
}

/** The sides once something was taken: the draft takes the place of the present state. */
export function withDraft(sides: Sides): Sides {
  const into = takenInto(sides)
  return into === null ? sides : { ...sides, [into]: { kind: 'draft' } }
}

export function isSameSide(one: SideCode, other: SideCode): boolean {
  return sideWord(one) === sideWord(other)
}
