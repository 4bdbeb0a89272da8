import { formatCount, visibleText } from '@cadmus/model/display'
import { Button } from '../Button.tsx'
import { Keys } from '../Keys.tsx'
import type { CellText } from './sheet-state.ts'
import styles from './Sheet.module.css'

type ProblemStripProps = {
  /** Of the current cell. */
  problem: CellText | undefined
  count: number
  /** Number of offers in its column. */
  offers: number
  onNext: () => void
  /** null: drops the text. */
  onReplace: (text: string | null) => void
  onTakeOffers: () => void
}

/** Counts the cells whose text could not be applied, and shows the reason of the current one. */
export function ProblemStrip({ problem, count, offers, onNext, onReplace, onTakeOffers }: ProblemStripProps) {
  const offer = problem?.offer
  return (
    <div className={styles['strip']}>
      <strong>{count === 1 ? '1 cell to look at' : `${count} cells to look at`}</strong>
      <output>{problem ? visibleText(problem.reason) : ''}</output>
      {offer !== undefined && <Button onClick={() => onReplace(offer)}>Use {visibleText(offer)}</Button>}
      {offer !== undefined && offers > 1 && (
        <Button onClick={onTakeOffers}>Use all {formatCount(offers)} offers</Button>
      )}
      {problem && (
        <Button variant="quiet" onClick={() => onReplace(null)}>
          Revert
        </Button>
      )}
      <Button variant="quiet" onClick={onNext}>
        Next
        <Keys shortcut="f8" />
      </Button>
    </div>
  )
}
