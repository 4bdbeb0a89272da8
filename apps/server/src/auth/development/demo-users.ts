import { defaults } from '@cadmus/model/limits'
import type { Permission } from '@cadmus/model/contract/sso'

export type DemoUser = {
  subject: string
  fullname: string
  email: string
  isAdmin: boolean
  groups: string[]
  permissions: Permission[]
  /** Whether the onboarding tour is already done. */
  onboarded: boolean
  /** SVG source. */
  picture?: string
  /** Description on the sign-in page. */
  about: string
}

const cadmus: Permission = { oc: defaults.organisationCode, on: 'Cadmus', ng: 1 }
const acme: Permission = { oc: 'ACME', on: 'Acme Trading', ng: 1 }
const globex: Permission = { oc: 'GLOBEX', on: 'Globex', ng: 0 }

const portrait = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="#f3d9b1"/><path d="M17 26c0-11 6-17 15-17s15 6 15 17l1 18c-5 3-27 3-32 0z" fill="#4a2c1a"/><path d="M10 64c1-13 9-19 22-19s21 6 22 19z" fill="#4f46e5"/><path d="M27 34h10v11a5 5 0 0 1-10 0z" fill="#d99a6c"/><ellipse cx="32" cy="28" rx="10" ry="12" fill="#e8b088"/><path d="M21 27c4-1 8-4 10-9 3 5 7 8 12 9-1-10-5-14-11-14s-10 4-11 14z" fill="#4a2c1a"/></svg>`

/** The users of the development provider; signing in takes one click. */
export const demoUsers: readonly DemoUser[] = [
  {
    subject: 'admin',
    fullname: 'Ada Admin',
    email: 'admin@example.com',
    isAdmin: true,
    groups: ['cadmus-admins'],
    permissions: [cadmus, acme],
    onboarded: true,
    picture: portrait,
    about: 'Administrator, in Cadmus and Acme Trading',
  },
  {
    subject: 'designer',
    fullname: 'Dan Designer',
    email: 'designer@example.com',
    isAdmin: false,
    // The global scope of the example, so that its designer can call the published API.
    groups: ['designers', 'shop.admin'],
    permissions: [acme],
    onboarded: true,
    about: 'Model designer, in Acme Trading',
  },
  {
    subject: 'newcomer',
    fullname: 'Nia Newcomer',
    email: 'newcomer@example.com',
    isAdmin: false,
    groups: ['designers'],
    permissions: [acme, { ...globex }],
    onboarded: false,
    about: 'New here: in Acme Trading, and in Globex without a subscription',
  },
]

/** The organisations of the demo users, to be created in the store. */
export const demoOrganisations: readonly Pick<Permission, 'oc' | 'on'>[] = [cadmus, acme, globex]
