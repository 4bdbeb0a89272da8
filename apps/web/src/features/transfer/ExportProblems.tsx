import type { ProblemAnswer } from '@cadmus/model/contract/shared'
import { NameConflictResolver } from './NameConflictResolver.tsx'
import { ProblemList } from './ProblemList.tsx'

type ExportProblemsProps = {
  manifestId: number
  problems: readonly ProblemAnswer[]
  onBusy: (busy: boolean) => void
  /** A problem was resolved: validate again. */
  onResolved: () => void
  onLeave: () => void
}

/** Shows why a manifest cannot be exported, with links to the problems. Name conflicts can be resolved here. */
export function ExportProblems({ manifestId, problems, onBusy, onResolved, onLeave }: ExportProblemsProps) {
  return (
    <>
      {problems.some(({ code }) => code === 'namesakes') && (
        <NameConflictResolver manifestId={manifestId} onBusy={onBusy} onResolved={onResolved} />
      )}
      <ProblemList problems={problems} onLeave={onLeave} />
    </>
  )
}
