import { compareEntities } from '@cadmus/model/compare'
import type { ComparedChange, ComparedContents } from '@cadmus/model/contract/comparison'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { compareTexts as texts } from '@cadmus/model/messages/compare'
import { Equal } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useEntity } from '../api/entities.ts'
import { readFailure } from '../api/read-failure.ts'
import type { Target } from '../commands/context.ts'
import { draftKey } from '../drafts/draft-key.ts'
import { entityDrafts } from '../drafts/entity-draft.ts'
import { entityStore } from '../drafts/entity-store.ts'
import { useOpenDraft } from '../drafts/open-drafts.ts'
import { Checkbox } from '../ui/Checkbox.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { UnreadState } from '../ui/ErrorState.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { useLatest } from '../ui/use-latest.ts'
import { tabIdOf } from '../workbench/documents.ts'
import { alignEntity } from './aligned.ts'
import { CompareFrame } from './CompareFrame.tsx'
import { NoVersions } from './NoVersions.tsx'
import { ShownChange } from './ShownChange.tsx'
import { isSameSide, proposedSides, useSides, withDraft } from './side-state.ts'
import type { SideCode } from './side-code.ts'
import { frozenVersions, ownGroups, useSideLabel } from './side-options.ts'
import { SideBar, type Sides } from './SideBar.tsx'
import type { Taker } from './taker.ts'
import { useSteps } from './use-steps.ts'
import { useTaking } from './use-taking.ts'

/** Compares two states of an entity: its versions, the present one and the draft. */
export function EntityComparePane({ entity }: { entity: EntityAnswer }) {
  const { id, name, currentVersion, latestVersion } = entity
  const tabId = tabIdOf({ kind: 'entity', id })
  const open = useOpenDraft(entityStore, draftKey(id, undefined))
  const changes = open?.state === 'deleted' ? 0 : (open?.draft.changes ?? 0)
  const hasDraft = changes > 0
  const shownVersion = currentVersion === latestVersion ? undefined : currentVersion
  const proposed = proposedSides(frozenVersions(entity), shownVersion, hasDraft)
  const { sides, choose } = useSides(tabId, proposed, hasDraft)
  const groups = ownGroups(entity, hasDraft ? 1 : 0)
  const pane = useRef<HTMLElement>(null)
  const shown = sides ?? { before: { kind: 'now' }, after: { kind: 'now' } }
  const frame = { name, pane, sideBar: <SideBar sides={shown} groups={groups} hasOthers={false} onChoose={choose} /> }
  if (!sides || isSameSide(shown.before, shown.after))
    return (
      <CompareFrame {...frame} onStep={null}>
        {sides ? <EmptyState icon={Equal} text={texts.sameSides} /> : <NoVersions target={targetOf(entity)} />}
      </CompareFrame>
    )
  return <Compared {...frame} entity={entity} sides={shown} groups={groups} choose={choose} />
}

function targetOf({ id, name, path, isDefault }: EntityAnswer): Target {
  return { kind: 'entity', id, name, path, isDefault, type: '', manifest: null }
}

type ComparedProps = {
  entity: EntityAnswer
  sides: Sides
  groups: ReturnType<typeof ownGroups>
  choose: (sides: Sides) => void
  name: string
  pane: React.RefObject<HTMLElement | null>
  sideBar: React.ReactNode
}

function Compared({ entity, sides, groups, choose, ...frame }: ComparedProps) {
  const { id, name } = entity
  const labels = { before: useSideLabel(sides.before, groups), after: useSideLabel(sides.after, groups) }
  const before = useContent(id, sides.before)
  const after = useContent(id, sides.after)
  const contents = useMemo(
    (): ComparedContents | null =>
      before.content && after.content ? { before: before.content, after: after.content } : null,
    [before.content, after.content],
  )
  const aligned = useMemo(() => (contents ? alignEntity(contents) : null), [contents])
  const changes = useMemo(
    () => (contents?.before && contents.after ? compareEntities(contents.before, contents.after) : []),
    [contents],
  )
  const [onlyDifferences, setOnlyDifferences] = useState(true)
  const points = aligned?.points ?? null
  const item = String(id)
  const steps = useSteps({ pane: frame.pane, item, points, neighbour: () => item, onItem: () => undefined })
  const stable = useLatest({ step: steps.step })
  const onStep = useCallback((by: 1 | -1) => stable.step(by), [stable])
  const taker = useEntityTaker({ id, sides, labels, contents, changes, onTaken: () => choose(withDraft(sides)) })
  const failure = readFailure(before.query, texts.contentNotRead) ?? readFailure(after.query, texts.contentNotRead)
  return (
    <CompareFrame
      {...frame}
      onStep={points && points.length > 0 ? onStep : null}
      tools={<Checkbox label={texts.onlyDifferences} checked={onlyDifferences} onChange={setOnlyDifferences} />}
    >
      {failure && <UnreadState failure={failure} />}
      {!aligned && !failure && <Skeleton lines={8} />}
      {aligned && (
        <ShownChange
          title={null}
          name={name}
          aligned={aligned}
          labels={labels}
          current={steps.current}
          onCurrent={steps.choose}
          onlyDifferences={onlyDifferences}
          taker={taker}
          isStale={false}
        />
      )}
    </CompareFrame>
  )
}

/** The content of a side: the draft is the page's own. */
function useContent(id: number, side: SideCode) {
  const version = side.kind === 'version' ? side.version : undefined
  const query = useEntity(id, version)
  const open = useOpenDraft(entityStore, draftKey(id, undefined))
  const saved = query.data?.entity
  const read = useMemo(() => (saved ? entityDrafts.adapter.contentOf(saved) : null), [saved])
  return { query, content: side.kind === 'draft' && open ? open.draft.content : read }
}

type EntityTaker = Omit<Parameters<typeof useTaking>[0], 'entityId'> & {
  id: number
  changes: readonly ComparedChange[]
}

function useEntityTaker({ id, changes, ...rest }: EntityTaker): Taker {
  const { from, isBusy, blocked, run } = useTaking({ entityId: id, ...rest })
  return {
    from,
    isBusy,
    blocked: () => blocked,
    labelOf: () => texts.take.this,
    noteOf: () => null,
    take: point => run(point.changes),
    takeChanges: run,
    ofRow: uid => changes.filter(({ step }) => step?.uid === uid),
    all: changes.length > 0 ? { blocked, run: () => run('all') } : null,
  }
}
