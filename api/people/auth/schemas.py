from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field, StringConstraints

from api.people.auth.emails import normal_domain, normal_email
from api.platform.http.limits import EMAIL_MAX, PASSWORD_MAX, PASSWORD_MIN, PERSON_NAME_MAX
from api.platform.http.text import CLEAN_LINE

PersonName = Annotated[str, StringConstraints(min_length=1, max_length=PERSON_NAME_MAX), CLEAN_LINE]
Email = Annotated[
    str,
    StringConstraints(max_length=EMAIL_MAX),
    AfterValidator(normal_email),
    Field(json_schema_extra={"format": "email"}),
]
Domain = Annotated[str, StringConstraints(max_length=253), AfterValidator(normal_domain)]


class NewPassword(BaseModel):
    password: str = Field(min_length=PASSWORD_MIN, max_length=PASSWORD_MAX)
    password_confirmation: str = Field(max_length=PASSWORD_MAX)


class Registration(NewPassword):
    name: PersonName
    email: Email


class Login(BaseModel):
    email: str = Field(max_length=EMAIL_MAX)
    password: str = Field(max_length=PASSWORD_MAX)
