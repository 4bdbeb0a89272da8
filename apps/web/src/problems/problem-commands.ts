import { messages } from '@cadmus/model/messages'
import { liveProblemTexts as texts } from '@cadmus/model/messages/problems'
import { entityIn, rowIn } from '@cadmus/model/problem'
import { ChevronDown, ChevronUp, Wrench } from 'lucide-react'
import { messageOf } from '../api/error.ts'
import { type LiveProblem, problemListQuery } from '../api/problems.ts'
import { queryClient } from '../api/query-client.ts'
import type { Command } from '../commands/command.ts'
import { dismissText, notify } from '../ui/notices.ts'
import type { Tab } from '../workbench/documents.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { openFixMenu } from './fix-menu.ts'
import { goTo, keyOf, nextIndex } from './go-to.ts'
import { lineOf } from './problem-groups.ts'

/** The manifest whose problems the commands are about. */
export type ProblemContext = { manifestId: number }

/** The problem gone to last, by manifest. */
const visited = new Map<number, { key: string; index: number }>()

export const problemCommands: readonly Command<ProblemContext>[] = [
  {
    id: 'problem.next',
    label: texts.next,
    icon: ChevronDown,
    shortcut: 'f8',
    run: ({ manifestId }) => step(manifestId, 1),
  },
  {
    id: 'problem.previous',
    label: texts.previous,
    icon: ChevronUp,
    shortcut: 'shift+f8',
    run: ({ manifestId }) => step(manifestId, -1),
  },
  {
    id: 'problem.fix',
    label: texts.fix,
    icon: Wrench,
    shortcut: 'mod+.',
    // A row of the list has its own.
    visible: () => document.activeElement?.closest('[data-problem-list]') == null,
    run: async ({ manifestId }) => {
      const anchor = document.activeElement
      const problems = await readProblems(manifestId)
      const tab = activeTab()
      if (problems && tab && anchor instanceof HTMLElement)
        await openFixMenu(manifestId, problemsAt(tab, problems, placeOf(anchor)), anchor)
    },
  },
]

async function step(manifestId: number, by: 1 | -1): Promise<void> {
  const problems = await readProblems(manifestId)
  if (!problems) return
  const keys = problems.map(keyOf)
  const index = nextIndex(keys, visited.get(manifestId) ?? null, by)
  const [problem, key] = [problems[index], keys[index]]
  if (!problem || key === undefined) return notify('info', texts.none)
  visited.set(manifestId, { key, index })
  goTo(problem)
  report(problem, index + 1, problems.length)
}

let reported = ''

/** Says which problem the place has, instead of the one before. */
function report({ severity, message }: LiveProblem, number: number, count: number): void {
  dismissText(reported)
  reported = texts.at(number, count, message)
  notify(severity === 'error' ? 'error' : 'warning', reported)
}

async function readProblems(manifestId: number): Promise<LiveProblem[] | null> {
  try {
    return (await queryClient.fetchQuery({ ...problemListQuery(manifestId), staleTime: 1000 })).problems
  } catch (failure) {
    notify('error', messageOf(failure, messages.failed.unexpected))
    return null
  }
}

function activeTab(): Tab | undefined {
  const { tabs, active } = workbench.getState()
  return tabs.find(({ tabId }) => tabId === active)
}

type FocusedPlace = { row: string | undefined; field: string | undefined }

/** The row of a table with the focus, and the field of the panel or the column of the sheet. */
function placeOf(focused: Element): FocusedPlace {
  const place = focused.closest<HTMLElement>('[data-property], [data-column]')
  const row = focused.closest<HTMLElement>('[data-row-id]')?.dataset['rowId']
  return { row, field: place?.dataset['property'] ?? place?.dataset['column'] }
}

/** Problems of the row, or else of the chosen one, of `field` first; else of the document itself, else all of the document. */
export function problemsAt(tab: Tab, problems: readonly LiveProblem[], { row, field }: FocusedPlace): LiveProblem[] {
  if (tab.kind !== 'entity') {
    const ofDocument = problems.filter(({ path }) => path.at(-1)?.kind === 'manifest')
    const shown = workbench.getState().shown.get(tab.tabId)?.tab
    const ofPart = ofDocument.filter(problem => lineOf(problem).place.tab === shown)
    return ofPart.length > 0 ? ofPart : ofDocument
  }
  const own = problems.filter(({ path }) => entityIn(path)?.id === tab.id)
  const rows = new Set(row === undefined ? workbench.getState().selections.get(tab.tabId)?.uids : [row])
  const rowOf = ({ path }: LiveProblem) => rowIn(path)?.uid
  const ofRows = own.filter(problem => rows.has(rowOf(problem) ?? ''))
  const ofEntity = own.filter(problem => rowOf(problem) === undefined)
  const [here = own] = [ofRows, ofEntity].filter(list => list.length > 0)
  return here.toSorted((a, b) => Number(b.field === field) - Number(a.field === field))
}
