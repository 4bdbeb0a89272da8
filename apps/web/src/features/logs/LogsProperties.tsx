import { MousePointerClick } from 'lucide-react'
import { EmptyState } from '../../ui/EmptyState.tsx'

/** An entry opens in a dialog: both values need the space. */
export function LogsProperties() {
  return <EmptyState icon={MousePointerClick} text="Open an entry to see what it changed." />
}
