import { MousePointerClick } from 'lucide-react'
import { EmptyState } from '../../ui/EmptyState.tsx'

/** What an entry changed is shown in a dialog of its own: it has two sides. */
export function LogsProperties() {
  return <EmptyState icon={MousePointerClick} text="Open an entry to see what it changed." />
}
