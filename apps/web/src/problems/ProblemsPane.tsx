import { isFixable } from '@cadmus/model/fixes/fixable'
import { liveProblemTexts as texts } from '@cadmus/model/messages/problems'
import { problemTexts } from '@cadmus/model/messages/values'
import { useQuery } from '@tanstack/react-query'
import { ArrowUpRight, CircleCheck, SearchX, Wrench } from 'lucide-react'
import { useMemo, useState } from 'react'
import { messageOf } from '../api/error.ts'
import { type LiveProblem, problemListQuery } from '../api/problems.ts'
import { openAt } from '../commands/DocumentLink.tsx'
import type { Command } from '../commands/command.ts'
import { useCommands } from '../commands/use-commands.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import type { MenuEntry } from '../ui/MenuEntries.tsx'
import { SearchBox } from '../ui/SearchBox.tsx'
import { Segments } from '../ui/Segments.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Tree } from '../ui/Tree.tsx'
import { fixStepsOf } from './apply-fix.ts'
import { openFixMenu } from './fix-menu.ts'
import { goTo } from './go-to.ts'
import { documentOf } from './problem-groups.ts'
import { type Filter, filtered, problemRows, type SeverityFilter, severityCounts } from './problem-rows.ts'
import styles from './Problems.module.css'
import { includeDrafts } from './unsaved-edits.ts'

includeDrafts()

/** `isOld`: an old version is viewed. */
type ProblemsPaneProps = { manifest: { id: number; name: string }; isOld: boolean }

/** The problems of a manifest with the user's unsaved edits, by document. */
export function ProblemsPane({ manifest, isOld }: ProblemsPaneProps) {
  const { data, error, refetch, isFetching } = useQuery(problemListQuery(manifest.id))
  if (!data) {
    if (!error) return <Skeleton lines={8} />
    return <ErrorState message={messageOf(error, texts.notRead)} busy={isFetching} onRetry={() => void refetch()} />
  }
  return <ProblemTree manifest={manifest} isOld={isOld} problems={data.problems} more={data.more} />
}

type PaneContext = { manifestId: number; byRow: ReadonlyMap<string, LiveProblem> }

const noContext = {}

/** Of the row with the focus. */
const paneCommands: readonly Command<PaneContext>[] = [
  {
    id: 'problem.fix',
    label: texts.fix,
    icon: Wrench,
    shortcut: 'mod+.',
    run({ manifestId, byRow }) {
      const row = document.activeElement?.closest<HTMLElement>('[data-row-id]')
      const problem = byRow.get(row?.dataset['rowId'] ?? '')
      if (row && problem) void openFixMenu(manifestId, [problem], row)
    },
  },
]

type ProblemTreeProps = ProblemsPaneProps & { problems: readonly LiveProblem[]; more: number }

function ProblemTree({ manifest, isOld, problems, more }: ProblemTreeProps) {
  const [filter, setFilter] = useState<Filter>({ severity: 'all', text: '' })
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const [selected, setSelected] = useState<string | null>(null)
  const listed = useMemo(() => filtered(problems, filter), [problems, filter])
  const shown = useMemo(() => problemRows(listed, id => folded.has(id)), [listed, folded])
  const counts = severityCounts(problems)
  const context = useMemo(() => ({ manifestId: manifest.id, byRow: shown.problems }), [manifest.id, shown.problems])
  useCommands(paneCommands, context)
  useCommands(fixStepsOf(manifest.id).commands, noContext)
  if (problems.length === 0) return <EmptyState icon={CircleCheck} text={texts.none} />

  function toggle(id: string) {
    const next = new Set(folded)
    if (!next.delete(id)) next.add(id)
    setFolded(next)
  }

  /** Opens the document of a group, or what a problem is about. */
  function follow(id: string) {
    const problem = shown.problems.get(id)
    if (problem) return goTo(problem)
    const first = listed.find(one => groupOf(one) === id)
    if (first) openAt(documentOf(first))
  }

  function fix(id: string, anchor: HTMLElement) {
    const problem = shown.problems.get(id)
    if (problem) void openFixMenu(manifest.id, [problem], anchor)
  }

  function entriesFor(id: string): MenuEntry[] {
    const problem = shown.problems.get(id)
    const anchor = document.activeElement
    const open: MenuEntry = { kind: 'item', id: 'open', label: texts.open, icon: ArrowUpRight, run: () => follow(id) }
    if (!problem || !isFixable(problem.code) || !(anchor instanceof HTMLElement)) return [open]
    const run = () => fix(id, anchor)
    return [open, { kind: 'item', id: 'fix', label: texts.fix, icon: Wrench, shortcut: 'mod+.', run }]
  }

  const options = (['all', 'error', 'warning'] as const).map((value): { value: SeverityFilter; label: string } => ({
    value,
    label: value === 'all' ? texts.severities.all : problemTexts[value](counts[value]),
  }))
  return (
    <div className={styles['pane']} data-problem-list>
      <div className={styles['tools']}>
        <Segments
          label={texts.severities.label}
          options={options}
          value={filter.severity}
          onChange={severity => setFilter({ ...filter, severity })}
        />
        <SearchBox label={texts.search} value={filter.text} onSearch={text => setFilter({ ...filter, text })} />
        {isOld && <span className={styles['note']}>{texts.frozen}</span>}
        {more > 0 && <span className={styles['note']}>{texts.more(more)}</span>}
      </div>
      {listed.length === 0 ? (
        <EmptyState icon={SearchX} text={texts.noMatch} />
      ) : (
        <Tree
          label={texts.list(manifest.name)}
          rows={shown.rows}
          selected={shown.rows.some(({ id }) => id === selected) ? selected : null}
          onToggle={toggle}
          onOpen={(id, isFollowed) => {
            setSelected(id)
            if (isFollowed) follow(id)
          }}
          onMore={() => undefined}
          entriesFor={entriesFor}
          actions={id => {
            const problem = shown.problems.get(id)
            return problem && <RowButtons problem={problem} onFix={anchor => fix(id, anchor)} />
          }}
        />
      )}
    </div>
  )
}

function groupOf(problem: LiveProblem): string {
  const { kind, id } = documentOf(problem)
  return `${kind}:${id}`
}

/** Not tab stops: the row has their keys. */
function RowButtons({ problem, onFix }: { problem: LiveProblem; onFix: (anchor: HTMLElement) => void }) {
  return (
    <span className={styles['buttons']}>
      <span className="visually-hidden">{problemTexts[problem.severity](1)}</span>
      {isFixable(problem.code) && (
        <IconButton
          label={texts.fix}
          icon={Wrench}
          shortcut="mod+."
          tabIndex={-1}
          onClick={event => {
            event.stopPropagation()
            onFix(event.currentTarget)
          }}
        />
      )}
      <IconButton
        label={texts.open}
        icon={ArrowUpRight}
        tabIndex={-1}
        onClick={event => {
          event.stopPropagation()
          goTo(problem)
        }}
      />
    </span>
  )
}
