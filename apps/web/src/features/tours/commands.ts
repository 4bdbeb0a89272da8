import { GraduationCap, Map as MapIcon } from 'lucide-react'
import type { AppContext } from '../../commands/context.ts'
import { registerCommand } from '../../commands/registry.ts'
import { afterDialogs, openDialog } from '../../workbench/dialogs.ts'
import { guidedToursDialog } from './dialogs.ts'
import type { TourId } from './tour.ts'
import { startTour } from './tour-store.ts'
import { needsManifest } from './texts.ts'

/** Tours cover the workspace only. */
const visible = () => location.pathname === '/'

export function registerTourCommands(): void {
  const everywhere = ['profile', 'palette'] as const
  const start = (tour: TourId) => () => afterDialogs(() => startTour(tour))
  registerCommand(
    { id: 'page.onboarding', label: 'Onboarding', icon: MapIcon, visible, run: start('onboarding') },
    everywhere,
    880,
  )
  registerCommand(
    {
      id: 'page.tours',
      label: 'Guided Tours',
      icon: GraduationCap,
      visible,
      run: () => openDialog(guidedToursDialog, { isAfterOnboarding: false }),
    },
    everywhere,
    881,
  )
  registerCommand(
    { id: 'tour.manifest', label: 'Create Manifest Tour', visible, run: start('manifest') },
    ['palette'],
    882,
  )
  const disabled = ({ hasManifests }: AppContext) => (hasManifests ? false : needsManifest)
  registerCommand(
    { id: 'tour.entity', label: 'Create Entity Tour', visible, disabled, run: start('entity') },
    ['palette'],
    883,
  )
}
