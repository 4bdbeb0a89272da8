import type { FastifyReply } from 'fastify'

export type CookieOptions = {
  path: string
  lifetime: number
  /** False only for the cookie that lets the page's script see that a session exists. */
  httpOnly: boolean
}

/** All cookies are SameSite=Lax, and Secure over https. */
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
