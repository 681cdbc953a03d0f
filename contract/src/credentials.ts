import { Type } from 'typebox'

export const Password = Type.String({ minLength: 8, maxLength: 200 })
/** For browsers: the session comes as a cookie that scripts cannot read, and not in the body. */
export const CookieWanted = Type.Optional(
  Type.Boolean({
    default: false,
    description:
      'Sets the session as the HttpOnly cookie `parley_session` and leaves `token` out of the answer. Such a session is accepted from pages of this origin alone, and for anything but reading only with the header `Parley-Client: web`.',
  }),
)

/** Asked for again before how one signs in is changed. */
export const OwnPassword = Type.Optional(
  Type.String({
    maxLength: 200,
    description:
      'The own password, asked for again. It may be left out for five minutes after `confirmByProvider`.',
  }),
)
