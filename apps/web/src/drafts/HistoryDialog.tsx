import { historyTexts } from '@cadmus/model/messages/history'
import { visibleText } from '@cadmus/model/display'
import { History } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { CloseButton, Dialog } from '../ui/Dialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import styles from './HistoryDialog.module.css'

/** A step of a history. `actions`: what can be done with it, the main one first. */
export type HistoryLine = {
  id: string
  name: string
  note: string
  /** Undone steps are above the current one, all others below it. */
  isUndone?: boolean
  isCurrent?: boolean
  actions: readonly { label: string; run: () => void }[]
}

export type HistoryDialogProps = {
  title: string
  /** The steps, newest first; undefined while they are read. */
  useLines: () => { lines: readonly HistoryLine[] | undefined; more: boolean }
  onClose: () => void
}

/** The steps of a document, saved or not, with a way to each own one. */
export function HistoryDialog({ title, useLines, onClose }: HistoryDialogProps) {
  const { lines, more } = useLines()
  return (
    <Dialog
      title={title}
      width={720}
      closeOnBackdrop
      onClose={onClose}
      footer={<CloseButton label="Close" variant="primary" />}
    >
      {!lines && <Skeleton lines={6} />}
      {lines?.length === 0 && <EmptyState icon={History} text={historyTexts.noHistory} />}
      <ol className={styles['lines']} aria-label={title}>
        {lines?.map(({ id, name, note, actions, isUndone, isCurrent }) => (
          <li key={id} aria-current={isCurrent ? 'step' : undefined} data-undone={isUndone || undefined}>
            <span className={styles['step']}>
              <span>{visibleText(name, { lines: true })}</span>
              <span className={styles['note']}>{visibleText(note)}</span>
            </span>
            {actions.map(({ label, run }) => (
              <Button key={label} variant="quiet" aria-label={`${label}: ${visibleText(name)}`} onClick={run}>
                {label}
              </Button>
            ))}
          </li>
        ))}
      </ol>
      {more && <p className={styles['note']}>{historyTexts.earlier}</p>}
    </Dialog>
  )
}
