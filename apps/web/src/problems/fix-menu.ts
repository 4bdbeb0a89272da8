import { isFixable } from '@cadmus/model/fixes/fixable'
import { messages } from '@cadmus/model/messages'
import { liveProblemTexts as texts } from '@cadmus/model/messages/problems'
import { entityIn, rowIn } from '@cadmus/model/problem'
import { Wrench } from 'lucide-react'
import { createStore } from 'zustand/vanilla'
import { messageOf } from '../api/error.ts'
import { type FixAnswer, type LiveProblem, problemFixes, type ProblemPlace } from '../api/problems.ts'
import { currentScope } from '../api/scope.ts'
import type { MenuEntry } from '../ui/MenuEntries.tsx'
import { notify } from '../ui/notices.ts'
import { applyFix } from './apply-fix.ts'

/** The menu of repairs that is open. */
type FixMenu = { anchor: HTMLElement; entries: readonly MenuEntry[] }
export const fixMenuStore = createStore<{ menu: FixMenu | null }>()(() => ({ menu: null }))

/** Problems for which one menu has the repairs. */
const mostProblems = 4

let request = 0

/** Opens the menu with the repairs of problems at an element; a later request replaces it. */
export async function openFixMenu(manifestId: number, problems: readonly LiveProblem[], anchor: HTMLElement) {
  const own = ++request
  const fixable = problems.filter(({ code }) => isFixable(code)).slice(0, mostProblems)
  try {
    const parts = await Promise.all(fixable.map(problem => entriesOf(manifestId, problem)))
    if (own !== request) return
    const entries = parts.flat()
    if (entries.length === 0) notify('info', problems.length === 0 ? texts.noProblemHere : texts.noFix)
    else fixMenuStore.setState({ menu: { anchor, entries } })
  } catch (failure) {
    if (own === request) notify('error', messageOf(failure, messages.failed.unexpected))
  }
}

export function closeFixMenu(): void {
  fixMenuStore.setState({ menu: null })
}

async function entriesOf(manifestId: number, problem: LiveProblem): Promise<MenuEntry[]> {
  const { code, message } = problem
  const scope = currentScope()
  const one = await problemFixes(manifestId, { code, place: placeOf(problem), scope })
  const all = await problemFixes(manifestId, { code, place: null, scope })
  const several = all.filter(({ count }) => count > 1)
  if (one.length === 0 && several.length === 0) return []
  const id = JSON.stringify([code, placeOf(problem)])
  const item = (fix: FixAnswer, group: string): MenuEntry => ({
    kind: 'item',
    id: `${id} ${group} ${fix.kind}`,
    label: fix.label,
    icon: Wrench,
    run: () => void applyFix(manifestId, fix),
  })
  return [
    { kind: 'heading', id, label: message },
    ...one.map(fix => item(fix, 'one')),
    ...several.map(fix => item(fix, 'all')),
  ]
}

function placeOf({ path, value }: LiveProblem): ProblemPlace {
  return { entity: entityIn(path)?.id ?? null, row: rowIn(path)?.uid ?? null, value: value ?? null }
}
