import type { ComparedChange, ComparedContents } from '@cadmus/model/contract/comparison'
import { mayEditAttributes } from '@cadmus/model/locks'
import { compareTexts } from '@cadmus/model/messages/compare'
import { useState } from 'react'
import { useEntity } from '../api/entities.ts'
import type { DraftStep } from '../drafts/edit-draft.ts'
import { takenInto } from './side-state.ts'
import type { SideLabels } from './ShownChange.tsx'
import type { Sides } from './SideBar.tsx'
import { takeIntoDraft } from './take.ts'

type Taking = {
  /** The entity that changes are taken into; undefined if that side has none. */
  entityId: number | undefined
  sides: Sides
  labels: SideLabels
  contents: ComparedContents | null
  onTaken: (step: DraftStep) => void
}

/** Takes changes from one side into the draft of the other one's entity. */
export function useTaking({ entityId = 0, sides, labels, contents, onTaken }: Taking) {
  const [isBusy, setBusy] = useState(false)
  const into = takenInto(sides)
  const from = into === null ? null : into === 'after' ? 'before' : 'after'
  const { data } = useEntity(Math.max(entityId, 0), undefined, entityId > 0)
  const verdict = data && mayEditAttributes(data.entity)
  const other = from && (contents?.[from] ?? null)
  const { take: texts } = compareTexts

  async function run(changes: readonly ComparedChange[] | 'all') {
    if (entityId < 1 || !other || !from) return
    setBusy(true)
    const copies = sides[from].kind === 'manifest'
    const step = await takeIntoDraft({ entityId, other, changes, copies }).finally(() => setBusy(false))
    if (step) onTaken(step)
  }

  const sideReason = into === null && texts.noSide
  return {
    into,
    /** Name of the side that is taken from. */
    from: from && labels[from],
    isBusy,
    /** Why nothing can be taken from these sides; false if something can. */
    sideReason,
    /** Why nothing can be taken into this entity; false if something can. */
    blocked: sideReason || (verdict === undefined ? texts.reading : !verdict.allowed && verdict.reason),
    run: (changes: readonly ComparedChange[] | 'all') => void run(changes),
    canTakeAll: entityId > 0 && other !== null,
  }
}
