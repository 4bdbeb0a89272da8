import { entityTour } from './entity-tour.ts'
import { manifestTour } from './manifest-tour.ts'
import { onboardingTour } from './onboarding-tour.ts'
import type { Tour, TourId } from './tour.ts'

export const tours: Readonly<Record<TourId, Tour>> = {
  onboarding: onboardingTour,
  manifest: manifestTour,
  entity: entityTour,
}
