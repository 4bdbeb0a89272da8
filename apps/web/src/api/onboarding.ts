import { beginOnboarding as beginOnboardingCall } from '@cadmus/model/contract/sso'
import { callApi } from './client.ts'

/** Whether to start the user's onboarding tour: once per user, on the first page that requests it. */
export async function beginOnboarding(): Promise<boolean> {
  return (await callApi(beginOnboardingCall, {})).first
}
