import { useMemo } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { currentOrganisation, sessionStore } from './session-store.ts'

/** An organisation, and whether the user works in it as its member or as an administrator. The address sets it. */
export type Scope = { organisation: string; role: 'designer' | 'administrator' }

/** `administered`: the organisation that an administrator has opened, '' if none; null in the workspace. */
export const scopeStore = createStore<{ administered: string | null }>()(() => ({ administered: null }))

export function currentScope(): Scope {
  return scopeOf(scopeStore.getState().administered, currentOrganisation())
}

export function useScope(): Scope {
  const administered = useStore(scopeStore, state => state.administered)
  const own = useStore(sessionStore, ({ organisation }) => organisation?.oc ?? '')
  return useMemo(() => scopeOf(administered, own), [administered, own])
}

/** The scope of a member's workspace. */
export function ownScope(): Scope {
  return scopeOf(null, currentOrganisation())
}

export function isAdministration({ role }: Scope = currentScope()): boolean {
  return role === 'administrator'
}

export function administratorOf(organisation: string): Scope {
  return { organisation, role: 'administrator' }
}

/** Prefix of the drafts and tabs of an administrator, which members of the organisation do not share. */
const administration = 'administration/'

export function scopeText({ organisation, role }: Scope): string {
  return role === 'administrator' ? `${administration}${organisation}` : organisation
}

/** Reads the text made by scopeText. */
export function scopeIn(text: string): Scope {
  return text.startsWith(administration)
    ? administratorOf(text.slice(administration.length))
    : { organisation: text, role: 'designer' }
}

function scopeOf(administered: string | null, own: string): Scope {
  return administered === null ? { organisation: own, role: 'designer' } : administratorOf(administered)
}
