print("A bare program.")
