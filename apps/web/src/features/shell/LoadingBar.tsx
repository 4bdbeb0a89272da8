import { limits } from '@cadmus/model/limits'
import { useIsFetching } from '@tanstack/react-query'
import { useHeld } from '../../ui/use-debounced.ts'
import styles from './LoadingBar.module.css'

/** A thin line below the bar at the top while anything is read from the server. What is quick is seen, too: it is held for a moment. */
export function LoadingBar() {
  const shown = useHeld(useIsFetching() > 0, limits.loadingHold)
  return shown && <output aria-label="Fetching" className={styles['bar']} />
}
