import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { useStore } from 'zustand'
import { useDelayed } from '../ui/use-debounced.ts'
import { questionStore } from '../workbench/confirm.ts'
import styles from './StillWaiting.module.css'

/**
 * Shows that an instance has not responded yet, long before the timeout. Always mounted, so that screen readers
 * announce it.
 */
export function StillWaiting({ waiting }: { waiting: boolean }) {
  // While a confirmation is open, the page waits for the user, not for the instance.
  const isQuestionOpen = useStore(questionStore, ({ question }) => question !== null)
  const isLate = useDelayed(waiting && !isQuestionOpen, limits.outgoingNoticeDelay)
  return (
    <output className={styles['waiting']}>
      {isLate ? messages.packages.instance.stillWaiting(limits.outgoingSeconds) : ''}
    </output>
  )
}
