import type { ProblemAnswer } from '@cadmus/model/contract/problem'
import { NamesakeOffer } from './NamesakeOffer.tsx'
import { ProblemList } from './ProblemList.tsx'

type RefusedProps = {
  manifestId: number
  problems: readonly ProblemAnswer[]
  onBusy: (busy: boolean) => void
  /** Something was mended: it can be validated again. */
  onResolved: () => void
  onLeave: () => void
}

/** Why a manifest cannot be exported, each with the way to its place; entities of one name can be told apart here. */
export function Refused({ manifestId, problems, onBusy, onResolved, onLeave }: RefusedProps) {
  return (
    <>
      {problems.some(({ code }) => code === 'namesakes') && (
        <NamesakeOffer manifestId={manifestId} onBusy={onBusy} onResolved={onResolved} />
      )}
      <ProblemList problems={problems} onLeave={onLeave} />
    </>
  )
}
