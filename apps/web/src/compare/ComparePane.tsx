import type { Comparison, Side } from '@cadmus/model/contract/comparison'
import type { ManifestAnswer } from '@cadmus/model/contract/manifest-shapes'
import { compareTexts as texts } from '@cadmus/model/messages/compare'
import { Equal, GitCompareArrows } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { type ComparedSides } from '../api/comparison.ts'
import { readFailure } from '../api/read-failure.ts'
import { DocumentLink } from '../commands/DocumentLink.tsx'
import { dropEntity } from '../commands/entity-drop.ts'
import { removeMemberAfterQuestion } from '../commands/deletion.ts'
import { mayEditManifest } from '@cadmus/model/locks'
import type { Target } from '../commands/context.ts'
import { commandById } from '../commands/registry.ts'
import { useAppContext } from '../commands/use-app-context.ts'
import { useCommands } from '../commands/use-commands.ts'
import type { DraftStep } from '../drafts/edit-draft.ts'
import { Checkbox } from '../ui/Checkbox.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { UnreadState } from '../ui/ErrorState.tsx'
import type { CompareDiagramHandle } from '../diagram/compare-diagram.tsx'
import { onDemand } from '../ui/on-demand.ts'
import { Segments } from '../ui/Segments.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { useLatest } from '../ui/use-latest.ts'
import { tabIdOf } from '../workbench/documents.ts'
import { useWorkbench, workbench } from '../workbench/page-workbench.ts'
import type { Point } from './aligned.ts'
import {
  type ChangeFilter,
  type ChangeItem,
  changeItems,
  changeRows,
  entityItemId,
  filteredItems,
} from './change-list.ts'
import { ChangeList } from './ChangeList.tsx'
import { compareViews, viewCommands, type ViewContext } from './commands.ts'
import { CompareFrame } from './CompareFrame.tsx'
import styles from './Compare.module.css'
import { type ManifestDraft, useManifestDraft } from './manifest-draft.ts'
import { NoVersions } from './NoVersions.tsx'
import { ShownChange } from './ShownChange.tsx'
import { isSameSide, proposedSides, takenInto, useSides, withDraft } from './side-state.ts'
import { SideBar, type Sides } from './SideBar.tsx'
import type { SideCode } from './side-code.ts'
import { frozenVersions, useSideGroups, useSideLabel } from './side-options.ts'
import type { Taker } from './taker.ts'
import { useStepStack } from '../drafts/step-stack.ts'
import { useTaking } from './use-taking.ts'
import { entityPoint, useComparison, useShownItem } from './use-compared.ts'
import { useSteps } from './use-steps.ts'

const { Component: CompareDiagram } = onDemand(
  () => import('../diagram/compare-diagram.tsx').then(module => module.CompareDiagram),
  <Skeleton lines={8} />,
)
const { Component: ReviewText } = onDemand(
  () => import('./Review.tsx').then(module => module.ReviewText),
  <Skeleton lines={8} />,
)
const { Component: Migration } = onDemand(
  () => import('./Migration.tsx').then(module => module.Migration),
  <Skeleton lines={8} />,
)
const { Component: ReviewConsequences } = onDemand(
  () => import('./Review.tsx').then(module => module.ReviewConsequences),
  <Skeleton lines={8} />,
)

/** Compares two states of a manifest. */
export function ComparePane({ manifest }: { manifest: ManifestAnswer }) {
  const { id, name, currentVersion, latestVersion } = manifest
  const tabId = tabIdOf({ kind: 'manifest', id })
  const draft = useLastKnown(useManifestDraft(id))
  const versions = frozenVersions(manifest)
  const shownVersion = currentVersion === latestVersion ? undefined : currentVersion
  const proposed = proposedSides(versions, shownVersion, Boolean(draft))
  const { sides, choose } = useSides(tabId, proposed, Boolean(draft))
  const groups = useSideGroups(manifest, draft)
  const pane = useRef<HTMLElement>(null)
  const isEmpty = sides === null && draft !== undefined
  const shown = sides ?? { before: { kind: 'now' }, after: { kind: 'now' } }
  const sideBar = <SideBar sides={shown} groups={groups} hasOthers onChoose={choose} />
  const common = { name, pane, sideBar }
  if (draft === undefined) return <Skeleton lines={8} />
  if (isEmpty || isSameSide(shown.before, shown.after))
    return (
      <CompareFrame {...common} onStep={null}>
        {isEmpty ? <NoVersions target={targetOf(manifest)} /> : <EmptyState icon={Equal} text={texts.sameSides} />}
      </CompareFrame>
    )
  return <Compared {...common} manifest={manifest} sides={shown} draft={draft} groups={groups} choose={choose} />
}

/** How many entities are not listed, and how many have no difference. */
function notesOf({ more, same }: Comparison): string[] {
  return [...(more > 0 ? [texts.more(more)] : []), ...(same > 0 ? [texts.unchanged(same)] : [])]
}

/** The last value that was known, while a newer one is not. */
function useLastKnown<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value === undefined ? last : value
}

function targetOf({ id, name, path, isDefault }: ManifestAnswer): Target {
  return { kind: 'manifest', id, name, path, isDefault, parent: null }
}

type ComparedProps = {
  manifest: ManifestAnswer
  sides: Sides
  draft: ManifestDraft | null
  groups: ReturnType<typeof useSideGroups>
  choose: (sides: Sides) => void
  name: string
  pane: React.RefObject<HTMLElement | null>
  sideBar: React.ReactNode
}

function Compared({ manifest, sides, draft, groups, choose, ...frame }: ComparedProps) {
  const { id, name } = manifest
  const tabId = tabIdOf({ kind: 'manifest', id })
  const addressed = useWorkbench(state => state.shown.get(tabId)?.view)
  const view = compareViews.find(one => one === addressed) ?? 'sheets'
  const compared = useMemo(
    (): ComparedSides => ({ manifestId: id, before: sideOf(sides.before, draft), after: sideOf(sides.after, draft) }),
    [id, sides, draft],
  )
  const query = useComparison(compared)
  const { data: comparison, isPlaceholderData } = query
  const labels = { before: useSideLabel(sides.before, groups), after: useSideLabel(sides.after, groups) }
  const list = useChangeList(comparison)
  const { item, items } = list
  const shown = useShownItem(compared, comparison, item)
  const isStale = isPlaceholderData || shown.isPlaceholderData
  const steps = useSteps({
    pane: frame.pane,
    item: item?.id ?? null,
    points: shown.aligned?.points ?? null,
    neighbour: list.neighbour,
    onItem: list.open,
  })
  const [onlyDifferences, setOnlyDifferences] = useState(true)
  const taken = useStepStack('compare')
  const onTaken = (step: DraftStep) => {
    taken.add(step)
    choose(withDraft(sides))
  }
  const taker = useTaker({ manifest, sides, labels, item, shown, isStale, onTaken })
  const stable = useLatest({ step: steps.step, open: list.open })
  const diagram = useRef<CompareDiagramHandle>(null)
  const viewing = useMemo<ViewContext>(
    () => ({ show: next => workbench.getState().show(tabId, { view: next === 'sheets' ? undefined : next }) }),
    [tabId],
  )
  const { show } = viewing
  useCommands(viewCommands, viewing)
  const onStep = useCallback(
    (by: 1 | -1) => {
      if (diagram.current) {
        const uid = diagram.current.go(by)
        if (uid !== undefined) stable.open(entityItemId(uid))
        return
      }
      workbench.getState().show(tabId, { view: undefined })
      stable.step(by)
    },
    [stable, tabId],
  )
  const failure = readFailure(query, texts.notRead)
  const hasChanges = items.length > 0

  function openEntity(uid: string) {
    const itemId = entityItemId(uid)
    if (!items.some(one => one.id === itemId)) return
    list.open(itemId)
    show('sheets')
  }

  const title = item && <ItemTitle item={item} />
  return (
    <CompareFrame
      {...frame}
      onStep={hasChanges ? onStep : null}
      tools={
        <>
          {view === 'sheets' && hasChanges && (
            <Checkbox label={texts.onlyDifferences} checked={onlyDifferences} onChange={setOnlyDifferences} />
          )}
          <Segments
            label={texts.views.label}
            options={compareViews.map(value => ({ value, label: texts.views[value] }))}
            value={view}
            onChange={show}
          />
        </>
      }
    >
      {failure && <UnreadState failure={failure} />}
      {!comparison && !failure && <Skeleton lines={8} />}
      {comparison && !hasChanges && view !== 'diagram' && (
        <EmptyState icon={Equal} text={[texts.same, ...notesOf(comparison)].join(' ')} />
      )}
      {comparison && hasChanges && (view === 'sheets' || view === 'diagram') && (
        <div className={styles['body']} data-stale={isPlaceholderData || undefined}>
          <ChangeList
            items={items}
            rows={list.rows}
            shown={list.filtered.length}
            selected={item?.id ?? null}
            filter={list.filter}
            onFilter={list.setFilter}
            onOpen={opened => {
              list.open(opened)
              const uid = items.find(({ id: own }) => own === opened)?.entity?.uid
              if (uid === undefined || !diagram.current?.show(uid)) show('sheets')
            }}
            onToggle={list.toggle}
            notes={notesOf(comparison)}
          />
          {view === 'diagram' ? (
            <CompareDiagram {...compared} onOpen={openEntity} ref={diagram} />
          ) : shown.aligned && item ? (
            <ShownChange
              key={item.id}
              title={title}
              name={item.label}
              aligned={shown.aligned}
              labels={labels}
              current={steps.current}
              onCurrent={steps.choose}
              onlyDifferences={onlyDifferences}
              taker={taker}
              isStale={isStale}
            />
          ) : item ? (
            <Unread query={shown} />
          ) : (
            <EmptyState icon={GitCompareArrows} text={texts.chooseChange} />
          )}
        </div>
      )}
      {comparison && !hasChanges && view === 'diagram' && (
        <CompareDiagram {...compared} onOpen={openEntity} ref={diagram} />
      )}
      {comparison && hasChanges && view === 'text' && (
        <ReviewText name={name} sides={compared} comparison={comparison} />
      )}
      {comparison && hasChanges && view === 'consequences' && <ReviewConsequences sides={compared} />}
      {comparison && hasChanges && view === 'migration' && <Migration sides={compared} />}
    </CompareFrame>
  )
}

function sideOf(side: SideCode, draft: ManifestDraft | null): Side {
  if (side.kind !== 'draft') return side
  return draft?.side ?? { kind: 'now' }
}

function Unread({ query }: { query: Parameters<typeof readFailure>[0] }) {
  const failure = readFailure(query, texts.contentNotRead)
  return failure ? <UnreadState failure={failure} /> : <Skeleton lines={8} />
}

function ItemTitle({ item: { label, entity } }: { item: ChangeItem }) {
  const place = entity?.after ?? entity?.before
  if (!entity || !place || place.id < 1) return <h3>{label}</h3>
  return (
    <h3>
      <DocumentLink document={{ kind: 'entity', id: place.id, name: place.name, path: place.path }}>
        {label}
      </DocumentLink>
    </h3>
  )
}

/** The list of changes with its filter, and the line that is shown. */
function useChangeList(comparison: Comparison | undefined) {
  const items = useMemo(() => (comparison ? changeItems(comparison) : []), [comparison])
  const [filter, setFilter] = useState<ChangeFilter>({ kinds: new Set(), search: '' })
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState<{ id: string; at: number } | null>(null)
  const filtered = useMemo(() => filteredItems(items, filter), [items, filter])
  const rows = useMemo(() => changeRows(filtered, folded), [filtered, folded])
  // When all of an entity was taken, the next line takes its place.
  const item =
    items.find(({ id }) => id === opened?.id) ?? filtered[Math.min(opened?.at ?? 0, filtered.length - 1)] ?? null
  return {
    items,
    filtered,
    rows,
    item,
    filter,
    setFilter,
    open: (id: string) =>
      setOpened({
        id,
        at: Math.max(
          0,
          filtered.findIndex(one => one.id === id),
        ),
      }),
    toggle(id: string) {
      const next = new Set(folded)
      if (!next.delete(id)) next.add(id)
      setFolded(next)
    },
    neighbour(by: 1 | -1): string | null {
      const at = filtered.findIndex(({ id }) => id === item?.id)
      return filtered.at((at + by) % filtered.length)?.id ?? null
    },
  }
}

type TakerOf = {
  manifest: ManifestAnswer
  sides: Sides
  labels: { before: string; after: string }
  item: ChangeItem | null
  shown: ReturnType<typeof useShownItem>
  isStale: boolean
  onTaken: (step: DraftStep) => void
}

function useTaker({ manifest, sides, labels, item, shown, isStale, onTaken }: TakerOf): Taker {
  const into = takenInto(sides)
  const entity = item?.entity ?? null
  const entityId = into && entity?.[into]?.id
  const contents = shown.contents ?? null
  const taking = useTaking({ entityId: entityId ?? undefined, sides, labels, contents, onTaken })
  const member = useMemberAction({ manifest, item, into })
  const { take: words } = texts
  return {
    from: taking.from,
    isBusy: taking.isBusy || isStale,
    blocked(point: Point) {
      if (taking.sideReason) return taking.sideReason
      if (point.key === entityPoint && entity) return member.blocked
      if (!entity) return item?.id === 'configuration' ? words.notConfiguration : words.notEntity
      if (point.changes.length === 0) return words.notEntity
      return taking.blocked
    },
    labelOf: point => (point.key === entityPoint ? member.label : words.this),
    noteOf: point => (point.key === entityPoint ? (member.note ?? null) : null),
    take: point => (point.key === entityPoint ? member.run() : taking.run(point.changes)),
    takeChanges: taking.run,
    ofRow: uid => shown.changes.filter(({ step }) => step?.uid === uid),
    all: taking.canTakeAll ? { blocked: taking.blocked, run: () => taking.run('all') } : null,
  }
}

type MemberAction = { label: string; blocked: string | false; note?: string; run: () => void }

/** Adds an entity that only the other side has to the manifest, or removes one that it does not have. */
function useMemberAction({
  manifest,
  item,
  into,
}: Pick<TakerOf, 'manifest' | 'item'> & { into: 'before' | 'after' | null }): MemberAction {
  const app = useAppContext()
  const { take: words } = texts
  const { before = null, after = null } = item?.entity ?? {}
  const own = into && { before, after }[into]
  const theirs = own ?? before ?? after
  const nothing = () => undefined
  if (!theirs) return { label: words.this, blocked: words.notEntity, run: nothing }
  const label = own ? words.removeMember : words.addMember
  const verdict = mayEditManifest(manifest)
  if (!verdict.allowed) return { label, blocked: verdict.reason, run: nothing }
  if (theirs.id < 1) {
    const run = () => void commandById('toolbar.logs')?.run(app)
    return { label: words.openLogs, blocked: false, note: words.deleted, run }
  }
  if (theirs.manifest !== manifest.name) return { label, blocked: words.inOther(theirs.manifest), run: nothing }
  const { id, name } = manifest
  if (!own) {
    const run = () => void dropEntity(`entity:${theirs.id}`, { id, name, locked: false })
    return { label, blocked: false, note: words.addsCopy, run }
  }
  const member = manifest.entityPaths.find(one => one.id === theirs.id)
  if (!member) return { label, blocked: words.inOther(theirs.manifest), run: nothing }
  return {
    label,
    blocked: false,
    run: () => void removeMemberAfterQuestion(member, manifest, member.type !== 'TEMPLATE'),
  }
}
