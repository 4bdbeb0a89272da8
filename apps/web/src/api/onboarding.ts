import { beginOnboarding as beginOnboardingCall } from '@cadmus/model/contract/onboarding'
import { callApi } from './client.ts'

/** Whether the user's onboarding tour is to begin now: once for each user, whichever page asks first. */
export async function beginOnboarding(): Promise<boolean> {
  return (await callApi(beginOnboardingCall, {})).first
}
