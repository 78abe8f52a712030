from . import file as file
