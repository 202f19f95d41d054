from __future__ import annotations

from pydantic import BaseModel, EmailStr, Field

PASSWORD_MIN = 8
PASSWORD_MAX = 200
NAME_MAX = 200


class Registration(BaseModel):
    name: str = Field(min_length=1, max_length=NAME_MAX)
    email: EmailStr
    password: str = Field(min_length=PASSWORD_MIN, max_length=PASSWORD_MAX)
    password_confirmation: str = Field(max_length=PASSWORD_MAX)


class Login(BaseModel):
    email: str = Field(max_length=254)
    password: str = Field(max_length=PASSWORD_MAX)
