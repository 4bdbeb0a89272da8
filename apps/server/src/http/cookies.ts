import type { FastifyReply } from 'fastify'

export type CookieOptions = {
  path: string
  /** Milliseconds. */
  lifetime: number
  /** False for the one cookie that tells the page that a session exists. */
  httpOnly: boolean
}

/** Every cookie of ours: SameSite=Lax, and Secure where the page comes over https. */
export function writeCookie(
  reply: FastifyReply,
  name: string,
  value: string,
  options: CookieOptions,
  secure: boolean,
): void {
  reply.setCookie(name, value, {
    path: options.path,
    maxAge: Math.floor(options.lifetime / 1000),
    httpOnly: options.httpOnly,
    sameSite: 'lax',
    secure,
  })
}

export function removeCookie(reply: FastifyReply, name: string, path: string, secure: boolean): void {
  reply.clearCookie(name, { path, sameSite: 'lax', secure })
}
