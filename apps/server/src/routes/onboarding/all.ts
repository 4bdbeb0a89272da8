import type { Route } from '../../http/route.ts'
import { beginOnboardingRoute } from './begin-onboarding.ts'

export const onboardingRoutes: Route[] = [beginOnboardingRoute]
