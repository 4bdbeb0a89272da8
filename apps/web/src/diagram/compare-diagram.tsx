import type { Side } from '@cadmus/model/contract/comparison'
import type { Placements } from '@cadmus/model/diagram/view'
import { comparedDiagramTexts as texts } from '@cadmus/model/messages/compared-diagram'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Ref, useEffect, useImperativeHandle, useMemo, useState } from 'react'
import { comparedDiagramQuery, comparedRows, type ComparedSides } from '../api/comparison.ts'
import { diagramViewsQuery } from '../api/diagram.ts'
import { messageOf } from '../api/error.ts'
import { currentScope, scopeText, useScope } from '../api/scope.ts'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { useLatest } from '../ui/use-latest.ts'
import { comparedStore, goTo, receive, showCard } from './compared-store.ts'
import { DifferencesToolbar } from './DifferencesToolbar.tsx'
import { DiagramFrame } from './DiagramFrame.tsx'
import type { Camera } from './diagram.ts'
import type { DiagramData } from './scene-of.ts'

export type CompareDiagramHandle = {
  /** Goes to the next difference, or to the one before; returns its uid, undefined if none is shown. */
  go: (by: 1 | -1) => string | undefined
  /** Goes to an entity; false if it is not in the diagram. */
  show: (uid: string) => boolean
}

export type CompareDiagramProps = {
  manifestId: number
  before: Side
  after: Side
  /** Opens an entity of the comparison. */
  onOpen: (uid: string) => void
  ref?: Ref<CompareDiagramHandle>
}

/** Both sides of a comparison as one diagram. */
export function CompareDiagram(props: CompareDiagramProps) {
  const { manifestId, before, after } = props
  // Edits of a draft are shown where the diagram is; other sides are another diagram.
  const key = [scopeText(useScope()), manifestId, placeOf(before), placeOf(after)].join(' ')
  return <Compared key={key} {...props} />
}

/** Which state a side is, whatever its edits. */
function placeOf(side: Side): string {
  return side.kind === 'draft' ? side.kind : JSON.stringify(side)
}

function Compared({ manifestId, before, after, onOpen, ref }: CompareDiagramProps) {
  const scope = useScope()
  const sides = { manifestId, before, after }
  const compared = useQuery({ ...comparedDiagramQuery(sides, scope), placeholderData: keepPreviousData })
  const stored = useQuery(diagramViewsQuery(manifestId, {}, scope))
  const { data, error, refetch } = compared
  if (error && !data) return <ErrorState message={messageOf(error, texts.notRead)} onRetry={() => void refetch()} />
  // Without its own views, all entities are laid out.
  if (!data || stored.isPending) return <Skeleton lines={8} />
  const placements = stored.data?.open?.shared ? stored.data.open.placements : {}
  return <Shown sides={sides} data={data} placements={placements} onOpen={onOpen} ref={ref} />
}

type ShownProps = Pick<CompareDiagramProps, 'onOpen' | 'ref'> & {
  sides: ComparedSides
  data: DiagramData
  placements: Placements
}

function Shown({ sides, data, placements, onOpen, ref }: ShownProps) {
  const scope = currentScope()
  const latest = useLatest({
    open: onOpen,
    readRows: (uids: readonly string[]) => comparedRows(sides, uids, { scope }),
  })
  const [store] = useState(() => comparedStore(data, placements, latest))
  const [cameras] = useState(() => new Map<string, Camera>())
  useEffect(() => receive(store, data), [store, data])
  const [announced, setAnnounced] = useState('')
  useImperativeHandle(ref, () => {
    return {
      go(by) {
        const next = goTo(store, by)
        setAnnounced(next?.text ?? texts.noneShown)
        return next?.uid
      },
      show: uid => showCard(store, uid),
    }
  }, [store])
  const manifest = useMemo(() => ({ id: sides.manifestId, name: data.areas[0]?.name ?? '' }), [sides.manifestId, data])
  return (
    <>
      <DiagramFrame
        label={texts.label(manifest.name)}
        store={store}
        manifest={manifest}
        locked={texts.locked}
        openLabel={texts.openDifferences}
        cameraOf={view => cameras.get(view)}
        onRested={(view, camera) => cameras.set(view, camera)}
        views={<DifferencesToolbar store={store} />}
      />
      <output className="visually-hidden">{announced}</output>
    </>
  )
}
