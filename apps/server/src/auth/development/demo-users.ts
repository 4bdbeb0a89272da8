import { defaults } from '@cadmus/model/limits'
import type { Permission } from '../who.ts'

export type DemoUser = {
  subject: string
  fullname: string
  email: string
  isAdmin: boolean
  groups: string[]
  permissions: Permission[]
  /** What the sign-in page says about this user. */
  about: string
}

const cadmus: Permission = { oc: defaults.organisationCode, on: 'Cadmus', ng: 1 }
const acme: Permission = { oc: 'ACME', on: 'Acme Trading', ng: 1 }
const globex: Permission = { oc: 'GLOBEX', on: 'Globex', ng: 0 }

/** Who can sign in at the development provider, each by one click. */
export const demoUsers: readonly DemoUser[] = [
  {
    subject: 'admin',
    fullname: 'Ada Admin',
    email: 'admin@example.com',
    isAdmin: true,
    groups: ['cadmus-admins'],
    permissions: [cadmus, acme],
    about: 'Administrator, in Cadmus and Acme Trading',
  },
  {
    subject: 'designer',
    fullname: 'Dan Designer',
    email: 'designer@example.com',
    isAdmin: false,
    groups: ['designers'],
    permissions: [acme],
    about: 'Model designer, in Acme Trading',
  },
  {
    subject: 'newcomer',
    fullname: 'Nia Newcomer',
    email: 'newcomer@example.com',
    isAdmin: false,
    groups: ['designers'],
    permissions: [acme, { ...globex }],
    about: 'New here: in Acme Trading, and in Globex without a subscription',
  },
]

/** The organisations that the demo users name, for the store. */
export const demoOrganisations: readonly Pick<Permission, 'oc' | 'on'>[] = [cadmus, acme, globex]
