import type { CallInput } from '@cadmus/model/contract/call'
import {
  adminCreateOrganisation,
  adminGetOrganisation,
  adminListMembers,
  adminListOrganisationLogs,
  adminListOrganisations,
  adminListUsers,
  adminRemoveMember,
  adminSetMember,
  adminUpdateOrganisation,
  type MemberItem,
  type OrganisationAnswer,
  type UserItem,
} from '@cadmus/model/contract/admin-organisation'
import { limits } from '@cadmus/model/limits'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { OptionSource } from '../ui/options.ts'
import { callApi, callWithTag } from './client.ts'
import { invalidate, keyIn, keys, refresh } from './query-client.ts'
import { lookAgain } from './session.ts'

// Calls for administrators: organisations, members and licences.

export type LoadedOrganisation = { organisation: OrganisationAnswer; etag: string }
export type OrganisationChange = CallInput<typeof adminUpdateOrganisation>['body']

/** Organisations that match a search, 20 per page. */
export function useOrganisations(search: string) {
  return useInfiniteQuery({
    queryKey: [...keys.organisations, 'list', search],
    queryFn: ({ pageParam, signal }) =>
      callApi(adminListOrganisations, { query: { search, page: pageParam, limit: limits.treePageSize } }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      pages.length * limits.treePageSize < last.totalElements ? pages.length : undefined,
    placeholderData: keepPreviousData,
  })
}

export function useOrganisation(code: string, { enabled = true } = {}) {
  const queryFn = ({ signal }: { signal: AbortSignal }) => readOrganisation(code, signal)
  return useQuery({ queryKey: keys.organisation(code), queryFn, enabled })
}

async function readOrganisation(code: string, signal?: AbortSignal): Promise<LoadedOrganisation> {
  const { answer, etag } = await callWithTag(adminGetOrganisation, { params: { code } }, signal ? { signal } : {})
  return { organisation: answer.organisation, etag }
}

type Paging = { page: number; size: number }

/** A page of the members; the previous page is shown while loading. */
export function useMembers(code: string, search: string, { page, size }: Paging) {
  return useQuery({
    queryKey: [...keys.organisation(code), 'members', search, page, size],
    queryFn: ({ signal }) =>
      callApi(adminListMembers, { params: { code }, query: { search, page, limit: size } }, { signal }),
    placeholderData: (before, query) => (query?.queryKey[3] === code ? keepPreviousData(before) : undefined),
  })
}

/** A page of the changes of the organisation itself, newest first. */
export function useOrganisationLogs(code: string, { page, size }: Paging) {
  return useQuery({
    queryKey: [...keys.organisation(code), 'logs', page, size],
    queryFn: ({ signal }) =>
      callApi(adminListOrganisationLogs, { params: { code }, query: { offset: page * size, limit: size } }, { signal }),
    placeholderData: (before, query) => (query?.queryKey[3] === code ? keepPreviousData(before) : undefined),
  })
}

/** Users who have signed in and are not stored members of the organisation, as picker options. */
export function userSource(notIn: string): OptionSource<UserItem> {
  return {
    key: keyIn([...keys.options, 'users', notIn]),
    async load(search, page, limit, signal) {
      const { users, totalElements } = await callApi(
        adminListUsers,
        { query: { search, page, limit, notIn } },
        { signal },
      )
      const options = users.map(user => ({
        value: user.userId,
        label: user.fullname,
        detail: user.email || user.username,
        data: user,
      }))
      return { options, total: totalElements }
    },
  }
}

export async function createOrganisation(body: { code: string; name: string }): Promise<OrganisationAnswer> {
  const { organisation } = await callApi(adminCreateOrganisation, { body })
  await changed()
  return organisation
}

/** Based on the state with tag `etag`. */
export async function saveOrganisation(code: string, body: OrganisationChange, etag: string): Promise<void> {
  await withRefresh(callApi(adminUpdateOrganisation, { params: { code }, body }, { ifMatch: etag }))
}

/** `etag`: tag of the changed membership; null for a new one. */
export async function setMember(
  code: string,
  { userId, subscription, etag }: { userId: string; subscription: number; etag: string | null },
): Promise<void> {
  const params = { code, userId }
  await withRefresh(callApi(adminSetMember, { params, body: { subscription } }, { ifMatch: quoted(etag ?? 'none') }))
}

export async function removeMember(code: string, { userId, etag }: MemberItem): Promise<void> {
  await withRefresh(callApi(adminRemoveMember, { params: { code, userId } }, { ifMatch: quoted(etag) }))
}

/** Reloads also after a refusal, which may be due to changes by other users. */
async function withRefresh(call: Promise<unknown>): Promise<void> {
  await call.finally(changed)
}

async function changed(): Promise<void> {
  await Promise.all([refresh({ queryKey: keys.organisations }), invalidate(keys.options)])
  // The change may concern the current organisation or user.
  void lookAgain()
}

function quoted(tag: string): string {
  return `"${tag}"`
}
