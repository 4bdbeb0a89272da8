import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { useStore } from 'zustand'
import { useDelayed } from '../ui/use-debounced.ts'
import { questionStore } from '../workbench/confirm.ts'
import styles from './StillWaiting.module.css'

/** That an instance does not answer, long before it is given up. There from the beginning, so that it is heard as well. */
export function StillWaiting({ waiting }: { waiting: boolean }) {
  // While a question is open the person is waited for, not the instance.
  const isAsked = useStore(questionStore, ({ asked }) => asked !== null)
  const isLate = useDelayed(waiting && !isAsked, limits.outgoingPatience)
  return (
    <output className={styles['waiting']}>
      {isLate ? messages.packages.instance.stillWaiting(limits.outgoingSeconds) : ''}
    </output>
  )
}
