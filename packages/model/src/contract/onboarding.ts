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
    "Records that the user's onboarding tour began. `first` is true once per user: the tour then starts automatically.",
  answer: z.object({ first: z.boolean() }),
})

export const onboardingCalls = { beginOnboarding }
