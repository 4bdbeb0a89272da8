import { GraduationCap, Map as MapIcon } from 'lucide-react'
import type { AppContext } from '../../commands/context.ts'
import { registerCommand } from '../../commands/registry.ts'
import { afterDialogs, openDialog } from '../../workbench/dialogs.ts'
import { guidedToursDialog } from './dialogs.ts'
import { whyUnavailable } from './needed-document.ts'
import { type TourId, tourIds } from './tour.ts'
import { startTour } from './tour-store.ts'
import { needsManifest, tourNames } from './texts.ts'

/** Tours cover the workspace only. */
const visible = () => location.pathname === '/'

export function registerTourCommands(): void {
  const everywhere = ['profile', 'palette'] as const
  const start = (tour: TourId) => () => afterDialogs(() => startTour(tour))
  registerCommand(
    { id: 'page.onboarding', label: tourNames.onboarding, icon: MapIcon, visible, run: start('onboarding') },
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
  for (const [place, tour] of tourIds.filter(id => id !== 'onboarding').entries())
    registerCommand(
      {
        id: `tour.${tour}`,
        label: tourNames[tour],
        visible,
        disabled: context => whyNot(tour, context),
        run: start(tour),
      },
      ['palette'],
      882 + place,
    )
}

function whyNot(tour: TourId, { hasManifests }: AppContext): string | false {
  return tour === 'entity' && !hasManifests ? needsManifest : whyUnavailable(tour)
}
