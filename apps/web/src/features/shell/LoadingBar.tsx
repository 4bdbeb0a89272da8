import { limits } from '@cadmus/model/limits'
import { useIsFetching } from '@tanstack/react-query'
import { useHeld } from '../../ui/use-debounced.ts'
import styles from './LoadingBar.module.css'

/** A thin line below the top bar while requests run. Held briefly, so that quick ones are visible. */
export function LoadingBar() {
  const shown = useHeld(useIsFetching() > 0, limits.loadingHold)
  return shown && <output aria-label="Fetching" className={styles['bar']} />
}
