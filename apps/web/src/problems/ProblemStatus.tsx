import { visibleText } from '@cadmus/model/display'
import { liveProblemTexts as texts } from '@cadmus/model/messages/problems'
import { useQueries } from '@tanstack/react-query'
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react'
import { useMemo } from 'react'
import { useStore } from 'zustand'
import { problemCountsQuery } from '../api/problems.ts'
import { openAt } from '../commands/DocumentLink.tsx'
import { useCommands } from '../commands/use-commands.ts'
import { LazyMenuPopup } from '../ui/lazy-menu.ts'
import { Menu } from '../ui/Menu.tsx'
import { tip } from '../ui/Tooltip.tsx'
import { closeFixMenu, fixMenuStore } from './fix-menu.ts'
import { type ListedIn, useShownManifests } from './manifests-of.ts'
import { problemCommands, type ProblemContext } from './problem-commands.ts'
import { problemsTab } from './problems-tab.ts'
import styles from './Problems.module.css'
import { includeDrafts } from './unsaved-edits.ts'

includeDrafts()

type Counts = { errors: number; warnings: number }

/** The numbers of problems of the document shown, and the commands about them. */
export function ProblemStatus() {
  const manifests = useShownManifests() ?? []
  const [first] = manifests
  const manifestId = first?.id ?? null
  const context = useMemo<ProblemContext | null>(() => (manifestId === null ? null : { manifestId }), [manifestId])
  useCommands(problemCommands, context)
  return (
    <>
      {first && <Numbers manifests={manifests} first={first} />}
      <FixMenuHost />
    </>
  )
}

/** An entity in several manifests has the problems of the worst one, and a choice. */
function Numbers({ manifests, first }: { manifests: readonly ListedIn[]; first: ListedIn }) {
  const results = useQueries({ queries: manifests.map(({ id }) => problemCountsQuery(id)) })
  const counts = results.map(({ data }) => data)
  const worst = counts.reduce<Counts | undefined>(
    (most, one) => (one && (!most || isWorse(one, most)) ? one : most),
    undefined,
  )
  if (!worst) {
    const isFailed = results.some(({ isError }) => isError)
    return <span className={styles['counts']}>{isFailed ? texts.unknown : texts.checking}</span>
  }
  const label = <Counted {...worst} />
  if (manifests.length === 1)
    return (
      <button type="button" className={styles['counts']} {...tip(texts.hint(first.name))} onClick={() => show(first)}>
        {label}
      </button>
    )
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={styles['counts']} {...tip(texts.chooseManifest)}>
          {label}
        </button>
      }
      entries={manifests.map((manifest, index) => ({
        kind: 'item',
        id: String(manifest.id),
        label: visibleText(manifest.name),
        ...(counts[index] ? { detail: texts.counts(counts[index]) } : {}),
        run: () => show(manifest),
      }))}
    />
  )
}

function Counted(counts: Counts) {
  const { errors, warnings } = counts
  const Symbol = errors > 0 ? CircleX : warnings > 0 ? TriangleAlert : CircleCheck
  const severity = errors > 0 ? 'error' : warnings > 0 ? 'warning' : 'none'
  return (
    <>
      <Symbol size={14} aria-hidden data-severity={severity} />
      <span>{texts.counts(counts)}</span>
    </>
  )
}

function isWorse(one: Counts, other: Counts): boolean {
  return one.errors - other.errors > 0 || (one.errors === other.errors && one.warnings > other.warnings)
}

function show({ id, name }: ListedIn): void {
  openAt({ kind: 'manifest', id, name }, { tab: problemsTab })
}

function FixMenuHost() {
  const menu = useStore(fixMenuStore, state => state.menu)
  if (!menu) return null
  const { anchor, entries } = menu
  return (
    <LazyMenuPopup entries={entries} anchor={anchor} align="start" returnTo={anchor} byKey onClose={closeFixMenu} />
  )
}
