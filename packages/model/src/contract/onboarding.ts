import * as z from 'zod'
import { defineCall } from './call.ts'
import { base } from './routes.ts'

export const beginOnboarding = defineCall({
  id: 'beginOnboarding',
  method: 'POST',
  path: `${base}/onboarding`,
  tag: 'Onboarding',
  access: 'user',
  by: 'session',
  summary:
    "Begins the user's onboarding tour. `first` is true once for each user: only then does the tour start by itself.",
  answer: z.object({ first: z.boolean() }),
})

export const onboardingCalls = { beginOnboarding }
