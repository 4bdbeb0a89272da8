import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { useDelayed } from '../ui/use-debounced.ts'
import styles from './StillWaiting.module.css'

/** That an instance does not answer, long before it is given up. There from the beginning, so that it is heard as well. */
export function StillWaiting({ waiting }: { waiting: boolean }) {
  const isLate = useDelayed(waiting, limits.outgoingPatience)
  return (
    <output className={styles['waiting']}>
      {isLate ? messages.packages.instance.stillWaiting(limits.outgoingSeconds) : ''}
    </output>
  )
}
